import { type Completer, JsonRpcError, MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { createLegacy, describeEras, legacy, modern } from "./eras.js";

const info = { name: "test", version: "1" };

/** A server with one prompt, `p`, whose argument `a` is completed, and `b` is not. */
function serve(completer: unknown, more: object = {}): MCPServer {
  const server = new MCPServer({ ...info, ...more });
  server.prompt("p", { input: [{ name: "a" }, { name: "b" }], complete: { a: completer as Completer } }, () => "x");
  return server;
}

function paramsOf(more: object = {}, argument: object = {}): Record<string, unknown> {
  return { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "v", ...argument }, ...more };
}

describeEras("completion/complete", ({ ask }) => {
  const complete = (server: MCPServer, params = paramsOf(), options = {}) =>
    ask(server, "completion/complete", params, options);
  const manyValues = Array.from({ length: 150 }, (_, index) => `v${index}`);
  const first = manyValues.slice(0, 100);

  test.each([
    ["a list", ["x", "y"], { values: ["x", "y"], total: 2, hasMore: false }],
    ["nothing", undefined, { values: [], total: 0, hasMore: false }],
    ["values alone", { values: ["x"] }, { values: ["x"], total: 1, hasMore: false }],
    ["a total", { values: ["x"], total: 9 }, { values: ["x"], total: 9, hasMore: true }],
    ["that there are more", { values: ["x"], hasMore: true }, { values: ["x"], hasMore: true }],
    ["more than may be sent", manyValues, { values: first, total: 150, hasMore: true }],
    ["more of more", { values: manyValues, total: 500 }, { values: first, total: 500, hasMore: true }],
    ["more than it says", { values: ["x"], total: 9, hasMore: false }, { values: ["x"], total: 9, hasMore: true }],
  ])("sends the truth about a completer that returns %s", async (_, returned, expected) => {
    expect((await complete(serve(() => returned))).result.completion).toEqual(expected);
  });

  test("waits for a completer that takes its time", async () => {
    expect((await complete(serve(async () => ["x"]))).result.completion.values).toEqual(["x"]);
  });

  test("hands the value, the settled arguments and the caller to the completer", async () => {
    const completer = vi.fn<Completer>((_, { arguments: settled, principal, auth, protocolVersion, signal }) => [
      JSON.stringify({ settled, principal, auth, protocolVersion: protocolVersion !== "", aborted: signal.aborted }),
    ]);
    const params = paramsOf({ context: { arguments: { b: "set" } } });

    const { result } = await complete(serve(completer), params, { principal: "ada", auth: { scope: "s" } });

    expect(completer).toHaveBeenCalledExactlyOnceWith("v", expect.anything());
    expect(JSON.parse(result.completion.values[0])).toEqual({
      settled: { b: "set" },
      principal: "ada",
      auth: { scope: "s" },
      protocolVersion: true,
      aborted: false,
    });
  });

  test.each(["b", "other", "toString", "__proto__"])(
    "proposes nothing for %s, which nothing completes",
    async (name) => {
      const { result } = await complete(
        serve(() => ["x"]),
        paramsOf({}, { name }),
      );

      expect(result.completion).toEqual({ values: [], total: 0, hasMore: false });
    },
  );

  test.each([
    ["no reference", { ref: undefined }],
    ["a reference of an unknown type", { ref: { type: "ref/tool", name: "p" } }],
    ["a reference without a type", { ref: { name: "p" } }],
    ["a reference of a member of every object's type", { ref: { type: "constructor", name: "p" } }],
    ["a prompt without a name", { ref: { type: "ref/prompt" } }],
    ["a resource without an address", { ref: { type: "ref/resource", name: "p" } }],
    ["an unknown prompt", { ref: { type: "ref/prompt", name: "other" } }],
    ["a prompt named like a member of every object", { ref: { type: "ref/prompt", name: "toString" } }],
    ["an unknown address", { ref: { type: "ref/resource", uri: "test://other" } }],
    ["no argument", { argument: undefined }],
    ["an argument without a name", { argument: { value: "" } }],
    ["an argument without a value", { argument: { name: "a" } }],
    ["a value that is no string", { argument: { name: "a", value: 1 } }],
    ["a context that is no object", { context: "c" }],
    ["settled arguments that are no strings", { context: { arguments: { b: 1 } } }],
    ["settled arguments that are no object", { context: { arguments: [] } }],
  ])("refuses %s", async (_, more) => {
    const completer = vi.fn(() => ["x"]);

    expect((await complete(serve(completer), paramsOf(more))).error.code).toBe(-32602);
    expect(completer).not.toHaveBeenCalled();
  });

  test.each([
    ["throws", () => fail(new Error("secret"))],
    ["rejects", async () => fail(new Error("secret"))],
    ["returns no list", () => "x"],
    ["returns values that are no strings", () => [1]],
    ["returns a total that is too small", () => ({ values: ["x"], total: 0 })],
    ["returns a flag that is none", () => ({ values: [], hasMore: "yes" })],
    ["returns no values", () => ({ total: 1 })],
  ])("fails when the completer %s, and the owner is told", async (_, completer) => {
    const onError = vi.fn();

    expect((await complete(serve(completer, { onError }))).error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), { method: "completion/complete", name: "p" });
  });

  test("sends an error that was thrown to be sent", async () => {
    const server = serve(() => fail(new JsonRpcError(1234, "mine")));

    expect((await complete(server)).error).toEqual({ code: 1234, message: "mine" });
  });

  test("does not know prompts that the caller may not see, or that are disabled", async () => {
    const server = new MCPServer(info);
    const definition = { input: [{ name: "a" }], complete: { a: () => ["x"] } } as const;
    server.prompt("p", { ...definition, visible: ({ principal }) => principal === "ada" }, () => "x");

    expect((await complete(server, paramsOf(), { principal: "ada" })).result.completion.values).toEqual(["x"]);
    expect((await complete(server, paramsOf(), { principal: "bob" })).error.code).toBe(-32602);
    server.prompt("off", definition, () => "x").disable();
    expect((await complete(server, paramsOf({ ref: { type: "ref/prompt", name: "off" } }))).error.code).toBe(-32602);
  });

  test("does not exist where nothing completes", async () => {
    const server = new MCPServer(info);
    const prompt = server.prompt("p", { input: [{ name: "a" }] }, () => "x");
    expect((await complete(server)).error.code).toBe(-32601);

    prompt.update({ complete: { a: () => ["x"] } });
    expect((await complete(server)).result.completion.values).toEqual(["x"]);
  });
});

describeEras("completion of the variables of a template", ({ ask }) => {
  const complete = (server: MCPServer, uri: string, name = "city", options = {}) =>
    ask(
      server,
      "completion/complete",
      { ref: { type: "ref/resource", uri }, argument: { name, value: "b" }, context: { arguments: { country: "fr" } } },
      options,
    );
  const uri = "weather://{country}/{city}";

  function serveWeather(more: object = {}): MCPServer {
    const server = new MCPServer(info);
    const city: Completer = (value, ctx) => [`${value}:${ctx.arguments.country}`];
    server.resource(uri, { complete: { city }, ...more }, () => "sunny");
    server.resource("weather://de/bonn", {}, () => "rain");
    return server;
  }

  test("goes by the text of the template", async () => {
    const server = serveWeather();

    expect((await complete(server, uri)).result.completion).toEqual({ values: ["b:fr"], total: 1, hasMore: false });
    expect((await complete(server, uri, "country")).result.completion.values).toEqual([]);
  });

  test.each(["weather://de/bonn", "weather://fr/paris"])("proposes nothing for an address, %s", async (address) => {
    expect((await complete(serveWeather(), address)).result.completion.values).toEqual([]);
  });

  test.each(["weather://{country}/{town}", "weather://fr", "toString"])(
    "refuses what is not served: %s",
    async (other) => {
      expect((await complete(serveWeather(), other)).error.code).toBe(-32602);
    },
  );

  test("is not for callers that may not see the template", async () => {
    const server = serveWeather({ visible: ({ principal }: { principal?: string }) => principal === "ada" });

    expect((await complete(server, uri, "city", { principal: "ada" })).result.completion.values).toEqual(["b:fr"]);
    expect((await complete(server, uri, "city", { principal: "bob" })).error.code).toBe(-32602);
    expect((await complete(server, "weather://fr/paris", "city", { principal: "bob" })).error.code).toBe(-32602);
  });
});

describe("settled arguments", () => {
  test.each([
    ["2024-11-05", {}],
    ["2025-03-26", {}],
    ["2025-06-18", { b: "set" }],
    ["2025-11-25", { b: "set" }],
  ])("are those that %s sends", async (version, expected) => {
    const completer = vi.fn<Completer>(() => []);
    const params = paramsOf({ context: { arguments: { b: "set" } } });

    await createLegacy(version).ask(serve(completer), "completion/complete", params);

    expect(completer.mock.calls[0]?.[1].arguments).toEqual(expected);
  });

  test("are no member of old requests, so that whatever stands there is overlooked", async () => {
    const server = serve(() => ["x"]);
    const params = paramsOf({ context: 5 });

    expect((await createLegacy("2025-03-26").ask(server, "completion/complete", params)).result).toBeDefined();
    expect((await createLegacy("2025-06-18").ask(server, "completion/complete", params)).error.code).toBe(-32602);
  });
});

describe("the capability to complete", () => {
  const initialize = async (server: MCPServer, protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "probe", version: "1" } };
    return (await legacy.ask(server, "initialize", params)).result.capabilities;
  };
  const discover = async (server: MCPServer) => (await modern.ask(server, "server/discover")).result.capabilities;

  test("is declared where something completes", async () => {
    const server = serve(() => []);

    expect(await discover(server)).toMatchObject({ prompts: {}, completions: {} });
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26"])
      expect(await initialize(server, version)).toMatchObject({ prompts: {}, completions: {} });
  });

  test("is not declared where nothing does, or the revision has no word for it", async () => {
    const server = new MCPServer(info);
    server.prompt("p", {}, () => "x");

    expect(await discover(server)).not.toHaveProperty("completions");
    expect(await initialize(server, "2025-11-25")).not.toHaveProperty("completions");
    expect(
      await initialize(
        serve(() => []),
        "2024-11-05",
      ),
    ).not.toHaveProperty("completions");
  });
});

describe("a completer", () => {
  test.each([
    ["for an argument that does not exist", { c: () => [] }],
    ["that is no function", { a: ["x"] }],
  ])("%s is refused", (_, complete) => {
    const server = new MCPServer(info);
    const definition = { input: z.object({ a: z.string() }), complete } as object;

    expect(() => server.prompt("p", definition, () => "x")).toThrow("complete");
  });

  test("is aborted when the caller cancels", async () => {
    let signal: AbortSignal | undefined;
    const server = serve((_: string, context: { signal: AbortSignal }) => {
      signal = context.signal;
      return new Promise(() => undefined);
    });
    const controller = new AbortController();
    const answer = modern.ask(server, "completion/complete", paramsOf(), { signal: controller.signal });
    await vi.waitFor(() => expect(signal).toBeDefined());

    controller.abort();

    expect(await answer).toBeNull();
    expect(signal?.aborted).toBe(true);
  });
});

function fail(error: Error): never {
  throw error;
}
