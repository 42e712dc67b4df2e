import { once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { MCPServer as TransportlessServer } from "@mortise/server";
import { afterEach, describe, expect, test } from "vitest";
import { MCPClient, MCPServer, type MortiseError } from "../src/index.js";

const opened: MCPServer[] = [];
const clients: MCPClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const server of opened.splice(0)) await server.stop();
});

function create(): MCPServer {
  const server = new MCPServer({
    name: "forecast",
    version: "1.0.0",
    instructions: "Ask for the weather",
    tools: [
      {
        name: "greet",
        description: "Greets somebody",
        inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        handler: ({ name }) => `Hello, ${name}!`,
      },
      {
        name: "whoami",
        description: "Tells the session",
        handler: (_args, context) => ({ id: context.sessionId ?? null }),
      },
    ],
  });
  opened.push(server);
  return server;
}

function urlOf(listener: Server, path = "/mcp"): string {
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`; // on a port, it is of this form
}

function connect(url: string): MCPClient {
  const client = new MCPClient(url);
  clients.push(client);
  return client;
}

function postLegacy(url: string, message: object, session?: string): Promise<Response> {
  const headers = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
  const known = session === undefined ? {} : { "Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-06-18" };
  return fetch(url, { method: "POST", headers: { ...headers, ...known }, body: JSON.stringify(message) });
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "probe", version: "1" } },
};

describe("startHttp", () => {
  test("gives Node's server, which listens on this machine alone", async () => {
    const listener = await create().startHttp({ port: 0 });

    expect(listener).toBeInstanceOf(Server);
    expect(listener.address()).toMatchObject({ address: "127.0.0.1" });
  });

  test("serves its path to clients", async () => {
    const listener = await create().startHttp({ host: "127.0.0.1", port: 0, path: "/tools" });
    const client = connect(urlOf(listener, "/tools"));

    const { instructions } = await client.connect();

    expect(instructions).toBe("Ask for the weather");
    expect((await client.callTool("greet", { name: "Ada" })).text).toBe("Hello, Ada!");
  });

  test("lets pages of allowedOrigins call, and no others", async () => {
    const url = urlOf(await create().startHttp({ port: 0, allowedOrigins: ["https://app.example.com"] }));
    const ask = (origin: string): Promise<Response> => fetch(url, { method: "OPTIONS", headers: { Origin: origin } });

    expect((await ask("https://app.example.com")).status).toBe(204);
    expect((await ask("https://evil.example")).status).toBe(403);
  });

  test("mints a session for a legacy client, which handlers know and DELETE ends", async () => {
    const url = urlOf(await create().startHttp({ port: 0 }));
    const session = (await postLegacy(url, INITIALIZE)).headers.get("Mcp-Session-Id") ?? "";
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "whoami", arguments: {} } };

    const answer = await (await postLegacy(url, call, session)).json();
    const ended = await fetch(url, { method: "DELETE", headers: { "Mcp-Session-Id": session } });
    const after = await postLegacy(url, call, session);

    expect(session).not.toBe("");
    expect(answer).toMatchObject({ result: { structuredContent: { id: session } } });
    expect([ended.ok, after.status]).toEqual([true, 404]);
  });

  test("keeps no sessions where legacy says otherwise", async () => {
    const url = urlOf(await create().startHttp({ port: 0, legacy: { sessions: "none" } }));

    expect((await postLegacy(url, INITIALIZE)).headers.get("Mcp-Session-Id")).toBeNull();
  });

  test("rejects for a port that is taken", async () => {
    const { port } = (await create().startHttp({ port: 0 })).address() as AddressInfo; // as above

    const failure = await create()
      .startHttp({ port })
      .catch((error: MortiseError) => error.code);

    expect(failure).toBe("address_in_use");
  });
});

test("startStdio serves a pair of streams", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  await create().startStdio({ input, output });

  input.write(`${JSON.stringify(INITIALIZE)}\n`);
  const [line] = await once(output, "data");

  expect(JSON.parse(String(line))).toMatchObject({ id: 1, result: { serverInfo: { name: "forecast" } } });
});

describe("stop", () => {
  test("ends the listener, and the server for good", async () => {
    const server = create();
    const listener = await server.startHttp({ port: 0 });

    await server.stop();
    await server.stop();

    expect(listener.listening).toBe(false);
    expect(await server.startHttp({ port: 0 }).catch((error: MortiseError) => error.code)).toBe("closed");
  });

  test("lets a call under way finish within the time to drain", async () => {
    const server = create();
    const entered = new EventTarget();
    server.tool("slow", { description: "Takes a moment" }, async () => {
      entered.dispatchEvent(new Event("entered"));
      await new Promise((resolve) => setTimeout(resolve, 50));
      return "done";
    });
    const client = connect(urlOf(await server.startHttp({ port: 0 })));
    const started = once(entered, "entered");
    const call = client.callTool("slow", {});
    await started;

    await server.stop({ drain: 5000 });

    expect((await call).text).toBe("done");
  });
});

test("is the server of @mortise/server, with transports", () => {
  expect(create()).toBeInstanceOf(TransportlessServer);
});

test("clients come from one configuration, as hosts write it", async () => {
  const url = urlOf(await create().startHttp({ port: 0 }));
  const made = await MCPClient.fromConfig({ mcpServers: { forecast: { url } } });
  const client = Object.fromEntries(made)["forecast"] as MCPClient; // it was just configured
  clients.push(client);

  expect((await client.callTool("greet", { name: "Ada" })).text).toBe("Hello, Ada!");
});
