const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** A modern call of `greet`, as any HTTP client could send it. */
export function callModern(url: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "greet" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "greet",
        arguments: { name: "Ada" },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
}

/** A legacy call of `greet`. */
export function callLegacy(url: string): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...HEADERS, "mcp-protocol-version": "2025-11-25" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "greet", arguments: { name: "Ada" } },
    }),
  });
}
