/** One request as it goes over the wire. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Headers of a client that knows the rules. */
export const PLAIN: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const CAPABILITIES = { elicitation: {} };

/** A modern request. */
export function modern(method: string, params: Readonly<Record<string, unknown>> = {}, id: unknown = 1): Sent {
  const name = params.name ?? params.uri;
  const named = typeof name === "string" ? { "mcp-name": name } : {};
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "load", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
    progressToken: id,
  };
  return {
    headers: { ...PLAIN, "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...named },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
  };
}

/** What a legacy client sends, with a session or without. */
export function legacy(message: object, session?: string): Sent {
  const headers = session === undefined ? PLAIN : { ...PLAIN, "mcp-session-id": session };
  return { headers, body: JSON.stringify(Array.isArray(message) ? message : { jsonrpc: "2.0", ...message }) };
}

/** The request that opens a legacy session. */
export function opening(protocolVersion = "2025-11-25"): Sent {
  const params = { protocolVersion, capabilities: CAPABILITIES, clientInfo: { name: "load", version: "1.0.0" } };
  return legacy({ id: 0, method: "initialize", params });
}

/** A call of a tool, for a legacy client. */
export function calling(name: string, args: object = {}, id: unknown = 1): object {
  return { id, method: "tools/call", params: { name, arguments: args } };
}
