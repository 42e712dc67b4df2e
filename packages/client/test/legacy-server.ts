import type { Loose, Reply } from "./fake-http.js";
import { ECHO_TOOL } from "./modern-server.js";

export interface LegacyScript {
  /** What `initialize` answers with. @default "2025-11-25" */
  readonly version?: unknown;
  /** Session ids to hand out, one for each `initialize`. @default none */
  readonly sessions?: readonly string[];
  /** How a request before the handshake is refused. @default 400 with a text */
  readonly refuse?: (reply: Reply) => void;
  readonly overrides?: Record<string, (reply: Reply) => void>;
  /** Whether a session is gone. @default never */
  readonly isGone?: (session: string | undefined) => boolean;
}

/** Answers like a server of 2025 with one `echo` tool. */
export function serveLegacy(script: LegacyScript = {}): (reply: Reply) => void {
  const ids = [...(script.sessions ?? [])];
  return (reply) => {
    const { request } = reply;
    const { method, id, params } = request.message;
    const override = method === undefined ? script.overrides?.[request.method] : script.overrides?.[method];
    if (override !== undefined) return override(reply);
    if (request.method === "DELETE") return reply.status(204);
    if (method === "initialize") return reply.result(initializeResult(script.version), sessionHeader(ids.shift()));
    const session = request.headers["mcp-session-id"] as string | undefined;
    if (script.isGone?.(session) === true)
      return reply.json({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "gone" } }, 404);
    if (id === undefined) return reply.status(202);
    if (method === "server/discover") return (script.refuse ?? refuse)(reply);
    if (method === "tools/list") return reply.result({ tools: [ECHO_TOOL] });
    if (method === "tools/call") return reply.result(echo(params));
    if (method === "ping") return reply.result({});
    return reply.error(-32601, "Method not found");
  };
}

export function initializeResult(version: unknown = "2025-11-25"): object {
  return {
    protocolVersion: version,
    capabilities: { tools: {} },
    serverInfo: { name: "old", version: "1" },
    instructions: "Be old",
  };
}

export function echo(params: Loose | undefined): object {
  return { content: [{ type: "text", text: String(params?.arguments?.text) }] };
}

function refuse(reply: Reply): void {
  reply.status(400, "Bad Request: no session");
}

function sessionHeader(session: string | undefined): Record<string, string> {
  return session === undefined ? {} : { "mcp-session-id": session };
}
