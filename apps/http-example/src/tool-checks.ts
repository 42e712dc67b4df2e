import { isDeepStrictEqual } from "node:util";
import { type MCPClient, MortiseError } from "@mortise/client";

/** Calls one tool, and throws an error that says what is wrong when the answer is not the one it should be. */
type ToolCheck = (client: MCPClient) => Promise<void>;

const STEPS = 3;
const PATIENCE_MS = 20;

/** A check for each tool of the example server, by the tool's name. */
export const TOOL_CHECKS: Readonly<Record<string, ToolCheck>> = {
  async greet(client) {
    const { structuredContent, text } = await client.callTool("greet", { name: "Ada" });
    expectEqual("its structured content", structuredContent, { message: "Hello, Ada!" });
    expectEqual("its text", text, '{"message":"Hello, Ada!"}');
  },

  async show_content(client) {
    const { content } = await client.callTool("show_content");
    const kinds = content.map((block) => block.type);
    expectEqual("its kinds of content", kinds, ["text", "image", "audio", "resource", "resource_link"]);
  },

  async count(client) {
    const reported: number[] = [];
    const onProgress = ({ progress }: { readonly progress: number }) => void reported.push(progress);
    const { text } = await client.callTool("count", { to: STEPS, stepMs: 5 }, { onProgress });
    expectEqual("its text", text, `Counted to ${STEPS}`);
    expectEqual("its progress", reported, [1, 2, 3]);
  },

  async fail(client) {
    const { isError, text } = await client.callTool("fail", { reason: "No such luck" });
    expectEqual("its failure", { isError, text }, { isError: true, text: "No such luck" });
  },

  async slow(client) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const outcome = await client.callTool("slow", {}, { signal }).catch((error: unknown) => error);
    const code = outcome instanceof MortiseError ? outcome.code : outcome;
    expectEqual("its end", code, "aborted");
  },
};

function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (isDeepStrictEqual(received, expected)) return;
  throw new Error(`expected ${what} to be ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
}
