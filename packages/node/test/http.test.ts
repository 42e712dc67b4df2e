import { once } from "node:events";
import { get, request as send } from "node:http";
import { connect } from "node:net";
import { MortiseError } from "@mortise/core";
import { type HttpInfo, type HttpOptions, http, presets } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";

const servers: MCPServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

function createServer(started = { count: 0 }): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.use((_, next) => {
    started.count += 1;
    return next();
  });
  server.tool("hold", {}, (_, { signal }) => {
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted")));
  });
  server.tool("stuck", {}, () => new Promise<string>(() => undefined));
  server.tool("later", {}, () => new Promise((resolve) => setTimeout(() => resolve("later"), 80)));
  servers.push(server);
  return server;
}

/** Calls a tool; resolves with the status, or with the error's code where the connection broke. */
function call({ port }: HttpInfo, name: string): Promise<number | string | undefined> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return new Promise((resolve) => {
    const request = send({
      port,
      path: "/mcp",
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
    });
    request.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    request.on("error", (error: Error & { code?: string }) => resolve(error.code));
    request.end(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, _meta: meta } }),
    );
  });
}

describe("http()", () => {
  test("listens on this machine alone, at a free port, and tells where", async () => {
    const info = await createServer().listen(http({ port: 0 }));

    expect(info.host).toBe("127.0.0.1");
    expect(info.server.address()).toMatchObject({ address: "127.0.0.1", port: info.port });
    expect(info.url).toBe(`http://127.0.0.1:${info.port}/mcp`);
  });

  test("answers other paths with 404", async () => {
    const { url, port } = await createServer().listen(http({ port: 0, path: "/tools" }));

    const [response] = await once(get(`http://127.0.0.1:${port}/mcp`), "response");

    expect(url.endsWith("/tools")).toBe(true);
    expect(response.statusCode).toBe(404);
    response.resume();
  });

  test("says clearly that a port is taken", async () => {
    const { port } = await createServer().listen(http({ port: 0 }));

    const listening = createServer().listen(http({ port }));

    await expect(listening).rejects.toThrow(expect.objectContaining({ code: "address_in_use" }));
    await expect(listening).rejects.toThrow(String(port));
  });

  test.each(["0.0.0.0", "::", "192.168.1.5", "mcp.example.com"])(
    "does not listen on %s before somebody names the hosts",
    (host) => {
      const create = (more: Partial<HttpOptions>) => http({ port: 0, host, ...more });

      expect(() => create({})).toThrow(expect.objectContaining({ code: "invalid_options" }));
      expect(() => create({ allowedHosts: "auto" })).toThrow(MortiseError);
      expect(() => create({ allowedOrigins: "*" })).toThrow(MortiseError);
      expect(() => create(presets.browser)).toThrow(MortiseError);
      expect(() => create({ allowedHosts: ["mcp.example.com"] })).not.toThrow();
      expect(() => create({ allowedHosts: "*" })).not.toThrow();
    },
  );

  test.each(["127.0.0.1", "localhost", "127.9.9.9", "::1"])("needs nothing to listen on %s", (host) => {
    expect(() => http({ port: 0, host })).not.toThrow();
  });

  test.each([-1, 65_536, 1.5, Number.NaN, "3000", undefined])("throws for the port %s", (port) => {
    // What is tested is that types alone are not relied on.
    expect(() => http({ port: port as number })).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("throws for no options at all", () => {
    expect(() => http(undefined as never)).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("rejects for a wrong option", async () => {
    // What is tested is that types alone are not relied on.
    const options = { port: 0, allowedHost: [] } as HttpOptions;

    await expect(createServer().listen(http(options))).rejects.toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });
});

describe("closing the server", () => {
  test("ends the listener, and sockets that idle", async () => {
    const server = createServer();
    const { port, server: listener } = await server.listen(http({ port: 0 }));
    const idle = connect({ port, host: "127.0.0.1" });
    await once(idle, "connect");

    await server.close();

    expect(listener.listening).toBe(false);
    await once(idle.resume(), "close");
  });

  test("tells callers who still wait, whether their handlers look at the signal or not", async () => {
    const started = { count: 0 };
    const server = createServer(started);
    const info = await server.listen(http({ port: 0 }));
    const calls = [call(info, "hold"), call(info, "stuck")];
    await vi.waitFor(() => expect(started.count).toBe(2), { timeout: 5_000 });

    await server.close();

    expect(await Promise.all(calls)).toEqual([503, 503]);
  });

  test("gives calls the time to drain", async () => {
    const started = { count: 0 };
    const server = createServer(started);
    const info = await server.listen(http({ port: 0 }));
    const owed = call(info, "later");
    await vi.waitFor(() => expect(started.count).toBe(1), { timeout: 5_000 });
    const begin = Date.now();

    await server.close({ drain: 60_000 });

    expect(await owed).toBe(200);
    expect(Date.now() - begin).toBeLessThan(5_000);
  });

  test("survives a failure of its listener, and reports it", async () => {
    const errors: unknown[] = [];
    const server = createServer();
    const { server: listener } = await server.listen(http({ port: 0, onError: (error) => errors.push(error) }));
    const failure = new Error("accept EMFILE");

    listener.emit("error", failure);

    expect(errors).toEqual([failure]);
    await server.close();
  });

  test("takes a drain time without end", async () => {
    const started = { count: 0 };
    const server = createServer(started);
    const info = await server.listen(http({ port: 0 }));
    const owed = call(info, "later");
    await vi.waitFor(() => expect(started.count).toBe(1), { timeout: 5_000 });

    await server.close({ drain: Number.POSITIVE_INFINITY });

    expect(await owed).toBe(200);
  });

  test("refuses new connections at once", async () => {
    const started = { count: 0 };
    const server = createServer(started);
    const info = await server.listen(http({ port: 0 }));
    const owed = call(info, "later");
    await vi.waitFor(() => expect(started.count).toBe(1), { timeout: 5_000 });
    const closing = server.close({ drain: 60_000 });

    const late = await call(info, "later");

    await closing;
    expect(late).toBe("ECONNREFUSED");
    expect(await owed).toBe(200);
  });

  test("is what a listener that ends by itself does", async () => {
    const server = createServer();
    const { server: listener } = await server.listen(http({ port: 0 }));

    listener.close();

    await vi.waitFor(() => expect(server.closed).toBe(true), { timeout: 5_000 });
  });
});
