import type { Reply } from "./fake-http.js";

export const DISCOVERED = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  instructions: "Be kind",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "fake", version: "1" } },
};

export const ECHO_TOOL = {
  name: "echo",
  description: "Says it again",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};

/** Answers like a modern server with one `echo` tool; `overrides` come first. */
export function serveModern(
  overrides: Record<string, (reply: Reply) => void> = {},
  tools: readonly unknown[] = [ECHO_TOOL],
): (reply: Reply) => void {
  return (reply) => {
    const { method = "", params } = reply.request.message;
    const override = Object.hasOwn(overrides, method) ? overrides[method] : undefined;
    if (override !== undefined) return override(reply);
    if (method === "server/discover") return reply.result(DISCOVERED);
    if (method === "tools/list") return reply.result({ resultType: "complete", tools });
    if (method === "tools/call")
      return reply.result({
        resultType: "complete",
        content: [{ type: "text", text: String(params?.arguments?.text) }],
      });
    return reply.error(-32601, "Method not found", { status: 404 });
  };
}
