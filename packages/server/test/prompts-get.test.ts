import { JsonRpcError, MCPServer, type PromptInput } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { type Answer, createLegacy, describeEras, legacy, modern } from "./eras.js";

const info = { name: "test", version: "1" };
const text = { type: "text", text: "hi" };

/** A server with one prompt, `p`, without arguments. */
function serve(handler: (args: unknown) => unknown, more: object = {}): MCPServer {
  const server = new MCPServer({ ...info, ...more });
  server.prompt("p", {}, handler as () => string);
  return server;
}

describeEras("what the handler of a prompt returns", ({ ask }) => {
  const get = (server: MCPServer) => ask(server, "prompts/get", { name: "p" });
  const user = (content: unknown) => ({ role: "user", content });
  const image = { type: "image", data: "AA==", mimeType: "image/png" };

  test.each([
    ["text", "hi", [user(text)]],
    ["a block", image, [user(image)]],
    ["a message", { role: "assistant", content: text }, [{ role: "assistant", content: text }]],
    ["a message with text in place of a block", { role: "user", content: "hi" }, [user(text)]],
    ["several messages", ["hi", image, user(text)], [user(text), user(image), user(text)]],
    ["no message", [], []],
    ["a whole result", { messages: ["hi"] }, [user(text)]],
  ])("may be %s", async (_, returned, messages) => {
    expect((await get(serve(() => returned))).result.messages).toEqual(messages);
  });

  test("may come later", async () => {
    expect((await get(serve(async () => "hi"))).result.messages).toEqual([user(text)]);
  });

  test("keeps the description and the metadata of a whole result", async () => {
    const { result } = await get(serve(() => ({ messages: [], description: "d", _meta: { "com.example/a": 1 } })));

    expect(result).toMatchObject({ description: "d", _meta: { "com.example/a": 1 } });
  });

  test("is sent whole when it is long", async () => {
    const long = "ü".repeat(40_000);

    expect((await get(serve(() => long))).result.messages).toEqual([user({ type: "text", text: long })]);
  });

  test("is not changed by sending it", async () => {
    const returned = Object.freeze({ messages: Object.freeze([Object.freeze({ role: "user", content: text })]) });

    expect((await get(serve(() => returned))).result.messages).toEqual([user(text)]);
  });

  test.each([
    ["nothing", undefined],
    ["a number", 5],
    ["an object of another kind", { a: 1 }],
    ["a message of an unknown role", { role: "system", content: text }],
    ["a message without content", { role: "user" }],
    ["a block without its text", { type: "text" }],
    ["a block of an unknown type", { type: "video", data: "" }],
    ["messages that are no list", { messages: "hi" }],
    ["a description that is no text", { messages: [], description: 1 }],
    ["metadata that is no object", { messages: [], _meta: "m" }],
  ])("fails the one call when it is %s, and the owner is told", async (_, returned) => {
    const onError = vi.fn();
    const server = serve(() => returned, { onError });

    expect((await get(server)).error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), { method: "prompts/get", name: "p" });
  });

  test("fails the one call when JSON cannot hold it", async () => {
    const onError = vi.fn();
    const server = serve(() => ({ messages: [], _meta: { size: 1n } }), { onError });

    expect((await get(server)).error.code).toBe(-32603);
    expect(onError).toHaveBeenCalledOnce();
    expect((await ask(server, "prompts/list")).result.prompts).toHaveLength(1);
  });
});

describeEras("a prompt's handler that fails", ({ ask }) => {
  const get = (server: MCPServer) => ask(server, "prompts/get", { name: "p" });

  test.each([
    ["at once", () => fail(new Error("secret"))],
    ["later", async () => fail(new Error("secret"))],
  ])("%s tells the owner, and nothing to the caller", async (_, handler) => {
    const onError = vi.fn();

    expect((await get(serve(handler, { onError }))).error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("secret"), { method: "prompts/get", name: "p" });
  });

  test.each([
    ["at once", () => fail(new JsonRpcError(1234, "mine", { a: 1 }))],
    ["later", async () => fail(new JsonRpcError(1234, "mine", { a: 1 }))],
  ])("with a JsonRpcError %s sends that error", async (_, handler) => {
    const onError = vi.fn();

    expect((await get(serve(handler, { onError }))).error).toEqual({ code: 1234, message: "mine", data: { a: 1 } });
    expect(onError).not.toHaveBeenCalled();
  });
});

describeEras("the arguments of a prompt", ({ ask }) => {
  function getWith(input: PromptInput | undefined, params: object): Promise<Answer> {
    const server = new MCPServer(info);
    server.prompt("p", input === undefined ? {} : { input }, (args) => JSON.stringify(args));
    return ask(server, "prompts/get", { name: "p", ...params });
  }
  const received = ({ result }: Answer) => JSON.parse(result.messages[0].content.text);

  const list = [{ name: "a", required: true }, { name: "b" }];
  const schema = z.object({ a: z.string(), b: z.string().optional() });
  const plain = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] };

  describe.each([
    ["a list", list],
    ["a schema of a library", schema],
    ["a plain schema", plain],
  ])("described by %s", (_, input) => {
    test("reach the handler", async () => {
      expect(received(await getWith(input, { arguments: { a: "1", b: "2" } }))).toEqual({ a: "1", b: "2" });
      expect(received(await getWith(input, { arguments: { a: "1" } }))).toEqual({ a: "1" });
    });

    test.each([
      ["that is missing", { b: "2" }, "a"],
      ["that nobody knows", { a: "1", other: "x" }, "other"],
      ["that is a member of every object", { a: "1", toString: "x" }, "toString"],
      ["that is the prototype of every object", JSON.parse('{"a":"1","__proto__":"x"}'), "__proto__"],
      ["that is no string", { a: 1 }, "a"],
      ["that is null", { a: null }, "a"],
    ])("are refused with one %s, by its name", async (_what, args, name) => {
      const { error } = await getWith(input, { arguments: args });

      expect(error.code).toBe(-32602);
      expect(error.message).toContain(name);
    });
  });

  test("may be left out where none is required", async () => {
    for (const input of [undefined, [{ name: "a" }], z.object({ a: z.string().optional() })]) {
      expect(received(await getWith(input, {}))).toEqual({});
      expect(received(await getWith(input, { arguments: {} }))).toEqual({});
    }
  });

  test.each([null, [], "a", 5])("must be an object, and not %j", async (args) => {
    expect((await getWith(undefined, { arguments: args })).error.code).toBe(-32602);
  });

  test("are refused where the prompt has none", async () => {
    expect((await getWith(undefined, { arguments: { a: "1" } })).error.code).toBe(-32602);
  });

  test("become what the schema makes of the strings on the wire", async () => {
    const input = z.object({ count: z.coerce.number().int(), day: z.string().transform((day) => day.length) });

    expect(received(await getWith(input, { arguments: { count: "7", day: "monday" } }))).toEqual({ count: 7, day: 6 });
    expect((await getWith(input, { arguments: { count: "many", day: "" } })).error.code).toBe(-32602);
  });

  test("are judged by a schema that takes its time", async () => {
    const input = z.object({ a: z.string().refine(async (value) => value === "right") });

    expect(received(await getWith(input, { arguments: { a: "right" } }))).toEqual({ a: "right" });
    expect((await getWith(input, { arguments: { a: "wrong" } })).error.code).toBe(-32602);
  });

  test("may have names of their own where the schema says so", async () => {
    const input = z.looseObject({ a: z.string() });

    expect(received(await getWith(input, { arguments: { a: "1", other: "x" } }))).toEqual({ a: "1", other: "x" });
  });
});

describeEras("a prompt that is not there", ({ ask }) => {
  const get = (server: MCPServer, name: unknown, options = {}) => ask(server, "prompts/get", { name }, options);

  test.each(["other", "", "toString", "__proto__", "constructor"])("is refused: %j", async (name) => {
    expect(
      (
        await get(
          serve(() => "hi"),
          name,
        )
      ).error.code,
    ).toBe(-32602);
  });

  test.each([undefined, null, 5, {}])("is refused when its name is %j", async (name) => {
    expect(
      (
        await get(
          serve(() => "hi"),
          name,
        )
      ).error.code,
    ).toBe(-32602);
  });

  test("may have the name of a member of every object once it is registered", async () => {
    const server = new MCPServer(info);
    server.prompt("constructor", {}, () => "hi");

    expect((await get(server, "constructor")).result.messages).toHaveLength(1);
  });

  test("is like one that the caller may not see, and one that is disabled", async () => {
    const server = new MCPServer(info);
    server.prompt("secret", { visible: ({ principal }) => principal === "ada" }, () => "hi");
    server.prompt("off", {}, () => "hi").disable();

    expect((await get(server, "secret", { principal: "ada" })).result.messages).toHaveLength(1);
    expect((await get(server, "secret", { principal: "bob" })).error.code).toBe(-32602);
    expect((await get(server, "off")).error.code).toBe(-32602);
  });

  test("is a method that is not there on a server without prompts", async () => {
    expect((await get(new MCPServer(info), "p")).error.code).toBe(-32601);
  });
});

describe("content of a kind that an old revision does not know", () => {
  const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
  const link = { type: "resource_link", uri: "file:///a", name: "a" };

  test.each([
    ["2024-11-05", "resource", "text"],
    ["2025-03-26", "audio", "text"],
    ["2025-06-18", "audio", "resource_link"],
    ["2025-11-25", "audio", "resource_link"],
  ])("becomes one that %s knows", async (version, first, second) => {
    const server = serve(() => [audio, link]);

    const { result } = await createLegacy(version).ask(server, "prompts/get", { name: "p" });

    const kinds = result.messages.map((message: { content: { type: string } }) => message.content.type);
    expect(kinds).toEqual([first, second]);
  });
});

describe("the handler of a prompt", () => {
  test("learns of its caller", async () => {
    const server = new MCPServer(info);
    server.prompt("p", {}, (_, ctx) => `${ctx.principal} ${ctx.protocolVersion}`);

    const { result } = await legacy.ask(server, "prompts/get", { name: "p" }, { principal: "ada" });

    expect(result.messages[0].content.text).toBe("ada 2025-11-25");
  });

  test("is aborted when the caller cancels, and its failure is nobody's business", async () => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, onError });
    let signal: AbortSignal | undefined;
    let ended = false;
    server.prompt("p", {}, async (_, ctx) => {
      signal = ctx.signal;
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      ended = true;
      throw new Error("stopped");
    });
    const controller = new AbortController();
    const answer = modern.ask(server, "prompts/get", { name: "p" }, { signal: controller.signal });
    await vi.waitFor(() => expect(signal).toBeDefined());

    controller.abort();

    expect(await answer).toBeNull();
    await vi.waitFor(() => expect(ended).toBe(true));
    expect(onError).not.toHaveBeenCalled();
  });

  test("is told on modern revisions which name the header must repeat", async () => {
    const headers = { "mcp-protocol-version": modern.version, "mcp-method": "prompts/get", "mcp-name": "other" };

    expect(
      (
        await modern.ask(
          serve(() => "hi"),
          "prompts/get",
          { name: "p" },
          { headers },
        )
      ).error.code,
    ).toBe(-32020);
  });
});

function fail(error: Error): never {
  throw error;
}
