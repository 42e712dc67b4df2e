import type { JsonObject, Middleware, MiddlewareCall } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { startFake } from "../fake-http.js";
import { createFakePipe } from "../fake-pipe.js";
import { serveLegacy } from "../legacy-server.js";
import { DISCOVERED, serveModern } from "../modern-server.js";
import { failureOf, openClient } from "../open-client.js";

const start = () => startFake(serveModern());

describe("middleware of a client", () => {
  test("runs around every request, but not around connecting", async () => {
    const server = await start();
    const client = openClient(server.url);
    const seen: string[] = [];
    client.use(({ method }, next) => {
      seen.push(method);
      return next();
    });

    await client.connect();
    await client.callTool("echo", { text: "x" });
    await client.ping();

    expect(seen).toEqual(["tools/list", "tools/call", "server/discover"]);
    expect(server.methods()[0]).toBe("server/discover");
  });

  test("runs in the order it was added, the first outermost", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    const order: string[] = [];
    const named =
      (name: string): Middleware =>
      async (_, next) => {
        order.push(`${name} in`);
        const result = await next();
        order.push(`${name} out`);
        return result;
      };

    await client.use(named("a")).use(named("b")).callTool("echo", { text: "x" });

    expect(order).toEqual(["a in", "b in", "b out", "a out"]);
  });

  test("sees what is asked for, and nothing of how it is carried", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    let seen: MiddlewareCall | undefined;
    client.use((call, next) => {
      seen = call;
      return next();
    });

    await client.callTool("echo", { text: "x" }, { meta: { "com.example/a": 1 } });

    expect(seen).toEqual({
      method: "tools/call",
      params: { name: "echo", arguments: { text: "x" } },
      meta: { "com.example/a": 1 },
      signal: undefined,
    });
  });

  test("changes parameters and _meta of a request, and leaves those of the caller alone", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    client.use(({ params, meta }, next) =>
      next({ params: { ...params, arguments: { text: "changed" } }, meta: { ...meta, "com.example/b": 2 } }),
    );
    const args = { text: "mine" };

    const { text } = await client.callTool("echo", args, { meta: { "com.example/a": 1 } });

    expect(text).toBe("changed");
    expect(args).toEqual({ text: "mine" });
    expect(server.log.at(-1)?.message.params?._meta).toMatchObject({ "com.example/a": 1, "com.example/b": 2 });
  });

  test("mirrors the arguments into headers that it has put in", async () => {
    const inputSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };
    const server = await startFake(serveModern({}, [{ name: "echo", inputSchema }]));
    const client = openClient(server.url);
    client.use(({ method, params }, next) =>
      method === "tools/call" ? next({ params: { ...params, arguments: { region: "north" } } }) : next(),
    );

    await client.callTool("echo", { region: "south" });

    expect(server.log.at(-1)?.headers["mcp-param-region"]).toBe("north");
  });

  test("cannot change version, identity or ids, so that every answer finds its request", async () => {
    const pipe = createFakePipe(({ message, result }) => {
      if (message.method === "server/discover") return result(DISCOVERED);
      if (message.method === "tools/list") return result({ resultType: "complete", tools: [] });
      return result({ resultType: "complete", content: [{ type: "text", text: String(message.params?.name) }] });
    });
    const client = openClient({ transport: pipe });
    await client.connect();
    client.use(({ params }, next) =>
      next({
        params: { ...params, id: 1, _meta: { progressToken: 7 } },
        meta: { "io.modelcontextprotocol/protocolVersion": "1999-01-01", progressToken: 1, id: 1 },
      }),
    );

    const texts = (await Promise.all(["a", "b", "c"].map((name) => client.callTool(name)))).map(({ text }) => text);

    const calls = pipe.log.filter(({ method }) => method === "tools/call");
    expect(texts).toEqual(["a", "b", "c"]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    for (const { params } of calls) {
      expect(params?._meta).toMatchObject({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
      expect(params?._meta).not.toHaveProperty("progressToken");
    }
  });

  test("has no id to tell, and takes none", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    client.use((call, next) => {
      // @ts-expect-error there is none
      const { id } = call;
      // @ts-expect-error nor can there be
      return next({ id: id ?? 1, params: { name: "echo", arguments: { text: "x" } } });
    });

    expect((await client.callTool("echo")).text).toBe("x");
  });

  test("leaves the progress of its caller alone", async () => {
    const pipe = createFakePipe(({ message, pipe: { emit }, result }) => {
      if (message.method === "server/discover") return result(DISCOVERED);
      if (message.method === "tools/list") return result({ resultType: "complete", tools: [] });
      const progressToken = message.params?._meta?.progressToken;
      emit({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } });
      return result({ resultType: "complete", content: [] });
    });
    const client = openClient({ transport: pipe });
    client.use((_, next) => next({ meta: { progressToken: "other" } }));
    const heard: number[] = [];

    await client.callTool("a", {}, { onProgress: ({ progress }) => void heard.push(progress) });

    expect(heard).toEqual([1]);
  });

  test("answers in place of the server", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    const answer = Object.freeze({ content: [{ type: "text", text: "from here" }] });
    client.use(() => answer as unknown as JsonObject);

    expect((await client.callTool("echo", { text: "x" })).text).toBe("from here");
    expect(server.methods()).not.toContain("tools/call");
  });

  test("sends a request again, under another id", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    client.use(async (_, next) => {
      await next();
      return next();
    });

    await client.callTool("echo", { text: "x" });

    const ids = server.log.filter(({ message }) => message.method === "tools/call").map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(2);
  });

  test("fails a request with what it throws, and sees what others fail with", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    const seen: unknown[] = [];
    client.use(async (_, next) => {
      try {
        return await next();
      } catch (error) {
        seen.push(error);
        throw error;
      }
    });
    client.use(() => {
      throw new RangeError("not today");
    });

    expect(await failureOf(client.callTool("echo"))).toBeInstanceOf(RangeError);
    expect(seen).toHaveLength(1);
  });

  test("adds nothing to a request that it changes nothing of", async () => {
    const server = await startFake(serveLegacy());
    const client = openClient({ url: server.url, era: "legacy" });
    client.use((_, next) => next());

    await client.ping();

    expect(server.log.at(-1)?.message).toEqual({ jsonrpc: "2.0", id: expect.any(Number), method: "ping" });
  });

  test("that never ends does not hold up a caller that gives up", async () => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    const controller = new AbortController();
    client.use(() => {
      setTimeout(() => controller.abort(), 0);
      return new Promise<never>(() => undefined);
    });

    expect(await failureOf(client.callTool("echo", {}, { signal: controller.signal }))).toMatchObject({
      code: "aborted",
    });
  });

  test.each([undefined, null, "text", []])("has to return a result, which %j is not", async (result) => {
    const server = await start();
    const client = openClient(server.url);
    await client.connect();
    client.use(() => result as unknown as JsonObject);

    expect(await failureOf(client.ping())).toMatchObject({ code: "invalid_options" });
  });

  test("has to be a function", async () => {
    const client = openClient("http://127.0.0.1:1");

    expect(() => client.use({} as Middleware)).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});
