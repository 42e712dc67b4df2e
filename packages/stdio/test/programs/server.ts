// A server on its own standard streams. Its argument holds the options of the transport, and what else the process does, as JSON.
import { createServer } from "node:net";
import { type HandlerContext, MCPServer } from "@mortise/server";
import { stdio } from "../../src/index.js";

const { busy, closeAfter, ...options } = JSON.parse(process.argv[2] ?? "{}");
const ANY = { type: "object" } as const;
const server = new MCPServer({ name: "fixture", version: "1.0.0" });

server.tool("echo", { input: ANY }, ({ text }: Record<string, unknown>) => String(text));
server.tool("arguments", { input: ANY }, (args: Record<string, unknown>) => ({
  members: Object.getOwnPropertyNames(args),
}));
server.tool("polluted", { input: ANY }, () => ({
  isAdmin: ({} as { isAdmin?: unknown }).isAdmin === undefined ? "no" : "yes",
}));
server.tool("constructor", { input: ANY }, () => "constructed");
server.tool("sleep", { input: ANY }, async ({ ms }: Record<string, unknown>) => {
  await new Promise((resolve) => setTimeout(resolve, Number(ms)));
  return "slept";
});
server.tool("throw_on_abort", { input: ANY }, (_args: unknown, { signal }: HandlerContext) => {
  return new Promise<string>((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new Error("stopped"))),
  );
});
server.tool("large", { input: ANY }, ({ size }: Record<string, unknown>) => "x".repeat(Number(size)));
server.tool("print", { input: ANY }, () => {
  console.log("log");
  console.info("info");
  console.debug("debug");
  process.stdout.write("raw\n");
  return "printed";
});
server.tool("unserializable", { input: ANY }, ({ kind }: Record<string, unknown>) => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  return kind === "bigint" ? { value: 1n } : cycle;
});
server.tool("report", { input: ANY }, async (_args: unknown, context: HandlerContext) => {
  for (let step = 1; !context.signal.aborted; step += 1) {
    await context.progress(step);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.stderr.write("aborted\n");
  return "reported";
});
server.tool("change", {}, () => {
  server.notify.toolsChanged();
  server.notify.promptsChanged();
  return "changed";
});

if (busy === true) {
  setInterval(() => undefined, 1_000);
  createServer().listen(0, "127.0.0.1");
}
// Comes only when nothing keeps the process alive, not when it is made to exit.
process.on("beforeExit", () => process.stderr.write("left by itself\n"));
await server.listen(stdio(options));
if (closeAfter !== undefined) {
  setTimeout(async () => {
    await server.close();
    console.log("closed");
  }, closeAfter);
}
