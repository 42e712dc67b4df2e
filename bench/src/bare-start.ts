import { START_TOOLS } from "./start-tools.js";

/** The least a script can do: wait for a line, parse it, answer it with the list. */
export function answerList(): void {
  process.stdin.on("data", (chunk: Buffer) => {
    const { id } = JSON.parse(chunk.toString("utf8"));
    const result = { resultType: "complete", tools: START_TOOLS, ttlMs: 0, cacheScope: "private" };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  });
}
