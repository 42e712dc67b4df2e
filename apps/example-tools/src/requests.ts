const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const CALL = { name: "greet", arguments: { name: "Ada" } };

/** A modern call of `greet`, written out as any HTTP client could send it. */
export function createModernCall(url: string): Request {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return new Request(url, {
    method: "POST",
    headers: { ...HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "greet" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...CALL, _meta } }),
  });
}

/** A legacy call of `greet`. */
export function createLegacyCall(url: string): Request {
  return new Request(url, {
    method: "POST",
    headers: { ...HEADERS, "mcp-protocol-version": "2025-11-25" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL }),
  });
}
