// The work of the server: clients of both eras list and call its tool.
export async function use({ handler }) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "page", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const ask = async (method, params, headers) => {
    const message = { jsonrpc: "2.0", ...(method.startsWith("notifications/") ? {} : { id: 1 }), method, params };
    const response = await handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify(message),
      }),
    );
    const text = await response.text();
    if (!response.ok || text.includes('"error"'))
      throw new Error(`Expected "${method}" to be answered, received ${text}`);
    return text;
  };
  const modern = (method, params = {}, headers = {}) =>
    ask(method, { ...params, _meta: meta }, { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers });
  const legacy = (method, params) => ask(method, params, { "mcp-protocol-version": "2025-11-25" });
  await modern("server/discover");
  await modern("tools/list");
  expectGreeting(await modern("tools/call", { name: "greet", arguments: {} }, { "mcp-name": "greet" }));
  await legacy("initialize", {
    protocolVersion: "2025-11-25",
    clientInfo: { name: "page", version: "1.0.0" },
    capabilities: {},
  });
  await legacy("notifications/initialized");
  await legacy("tools/list");
  expectGreeting(await legacy("tools/call", { name: "greet", arguments: {} }));
}

function expectGreeting(text) {
  if (!text.includes("Hello!")) throw new Error(`Expected a greeting, received ${text}`);
}
