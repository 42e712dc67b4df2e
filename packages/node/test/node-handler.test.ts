import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeHttpHandler } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test } from "vitest";

const listeners: Server[] = [];
afterEach(() => Promise.all(listeners.splice(0).map((listener) => new Promise((resolve) => listener.close(resolve)))));

function createMcpServer(): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.tool("tell", {}, (_, { auth, context }) => ({ auth, context }));
  return server;
}

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const listener = createServer(handle);
  listeners.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

const LEGACY = {
  method: "POST",
  headers: { "content-type": "application/json", connection: "close" },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell","arguments":{}}}',
};

describe("createNodeHttpHandler", () => {
  test.each([
    ["no server", undefined, {}],
    ["what is no server", {}, {}],
    ["no options", createMcpServer(), null],
    ["a context that is no function", createMcpServer(), { context: {} }],
  ])("refuses %s", (_, server, options) => {
    const create = (): unknown => createNodeHttpHandler(server as MCPServer, options as never);
    expect(create).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("passes other paths on before anything of the body is read", async () => {
    const handler = createNodeHttpHandler(createMcpServer());
    const seen: { read?: boolean; body?: string } = {};
    const url = await serve((request, response) => {
      handler(request, response, () => {
        seen.read = request.readableDidRead;
        request.setEncoding("utf8").on("data", (text: string) => {
          seen.body = text;
        });
        request.on("end", () => response.end("other"));
      });
    });

    const response = await fetch(`${url}/other`, LEGACY);

    expect(await response.text()).toBe("other");
    expect(seen).toEqual({ read: false, body: LEGACY.body });
  });

  test("answers its own path itself, errors too", async () => {
    const handler = createNodeHttpHandler(createMcpServer());
    let passedOn = 0;
    const url = await serve((request, response) => {
      handler(request, response, () => {
        passedOn += 1;
        response.end();
      });
    });

    const responses = await Promise.all([
      fetch(`${url}/mcp?x=1`, LEGACY),
      fetch(`${url}/mcp`, { headers: { connection: "close" } }),
      fetch(`${url}/mcp`, { ...LEGACY, body: "{" }),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([200, 405, 400]);
    expect(passedOn).toBe(0);
    await Promise.all(responses.map((response) => response.text()));
  });

  test("finds its path where a framework has cut it off", async () => {
    const handler = createNodeHttpHandler(createMcpServer());
    const url = await serve((request, response) => {
      Object.assign(request, { originalUrl: request.url, url: "/" });
      handler(request, response, () => response.writeHead(418).end());
    });

    const responses = await Promise.all([fetch(`${url}/mcp`, LEGACY), fetch(`${url}/else`, LEGACY)]);

    expect(responses.map(({ status }) => status)).toEqual([200, 418]);
    await Promise.all(responses.map((response) => response.text()));
  });

  test("hands what frameworks and programs know on to handlers", async () => {
    const handler = createNodeHttpHandler(createMcpServer(), { context: (request) => request.headers["x-trace"] });
    const url = await serve((request, response) => {
      Object.assign(request, { auth: { user: "ada" } });
      handler(request, response);
    });

    const response = await fetch(`${url}/mcp`, { ...LEGACY, headers: { ...LEGACY.headers, "x-trace": "5" } });

    expect(await response.text()).toContain(JSON.stringify(JSON.stringify({ auth: { user: "ada" }, context: "5" })));
  });

  test("shows a verifier what a framework found out, so that it can say who that is", async () => {
    const server = new MCPServer({ name: "fixture", version: "1.0.0" });
    server.tool("tell", {}, (_, { principal }) => principal ?? "nobody");
    const verify = ({ auth }: { readonly auth: unknown }) => ({ principal: (auth as { user: string }).user, auth });
    const handler = createNodeHttpHandler(server, { auth: { verify } });
    const url = await serve((request, response) => {
      Object.assign(request, { auth: { user: "ada" } });
      handler(request, response);
    });

    const response = await fetch(`${url}/mcp`, LEGACY);

    expect(await response.text()).toContain('"text":"ada"');
  });

  test("answers 500 where the program's own hook throws", async () => {
    const failures: unknown[] = [];
    const handler = createNodeHttpHandler(createMcpServer(), {
      context: () => {
        throw new Error("secret");
      },
      onError: (error) => failures.push(error),
    });
    const url = await serve((request, response) => handler(request, response));

    const response = await fetch(`${url}/mcp`, LEGACY);

    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(failures).toHaveLength(1);
  });

  test("tells which paths are its own", () => {
    const handler = createNodeHttpHandler(createMcpServer(), { path: "/api" });

    expect([handler.matches("/api"), handler.matches("/mcp")]).toEqual([true, false]);
  });
});
