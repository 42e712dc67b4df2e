import { JsonRpcError, MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { describeEras, modern } from "./eras.js";

function serve(handler: (args: unknown) => unknown, more: object = {}): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", ...more });
  server.tool("t", {}, handler as () => string);
  return server;
}

describeEras("a handler's return value", ({ call }) => {
  const text = { type: "text", text: "hi" };
  const image = { type: "image", data: "AA==", mimeType: "image/png" };

  test.each([
    ["a string", "hi", { content: [text] }],
    ["an object", { a: 1 }, { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } }],
    ["a block", image, { content: [image] }],
    ["an array of blocks", [text, image], { content: [text, image] }],
    ["a whole result", { content: [text], isError: true }, { content: [text], isError: true }],
    ["nothing", undefined, { content: [] }],
    ["null", null, { content: [] }],
    ["a number", 5, { content: [{ type: "text", text: "5" }] }],
    ["a boolean", false, { content: [{ type: "text", text: "false" }] }],
    [
      "an object that only looks like a block",
      { type: "text" },
      { content: [{ type: "text", text: '{"type":"text"}' }], structuredContent: { type: "text" } },
    ],
  ])("may be %s", async (_, returned, expected) => {
    const { result } = await call(
      serve(() => returned),
      "t",
    );

    expect(result).toMatchObject(expected);
    expect(Object.keys(result)).toEqual(expect.arrayContaining(Object.keys(expected)));
  });

  test("may come later", async () => {
    const { result } = await call(
      serve(async () => "later"),
      "t",
    );

    expect(result.content).toEqual([{ type: "text", text: "later" }]);
  });

  test("keeps the _meta of a whole result", async () => {
    const { result } = await call(
      serve(() => ({ content: [], _meta: { "com.example/x": 1 } })),
      "t",
    );

    expect(result._meta).toMatchObject({ "com.example/x": 1 });
  });

  test("is not changed by sending it", async () => {
    const returned = Object.freeze({
      content: Object.freeze([Object.freeze({ type: "text", text: "x" })]),
      _meta: Object.freeze({ a: 1 }),
    });

    const { result } = await call(
      serve(() => returned),
      "t",
    );

    expect(result.content).toEqual([{ type: "text", text: "x" }]);
    expect(returned).toEqual({ content: [{ type: "text", text: "x" }], _meta: { a: 1 } });
  });

  test("is sent whole when it is long", async () => {
    const long = "ü".repeat(40_000);

    const { result } = await call(
      serve(() => long),
      "t",
    );

    expect(result.content[0].text).toBe(long);
  });
});

describeEras("a handler that fails", ({ call }) => {
  test.each([
    ["an error", () => new Error("broken"), "broken"],
    ["a string", () => "plain", "plain"],
    ["nothing", () => undefined, 'Tool "t" failed'],
    ["an error without a message", () => new Error(""), 'Tool "t" failed'],
  ])("by throwing %s gives a result the model can read", async (_, create, message) => {
    const throwing = () => {
      throw create();
    };

    const { result } = await call(serve(throwing), "t");

    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: message }] });
  });

  test("by rejecting later gives a result the model can read", async () => {
    const { result } = await call(
      serve(() => Promise.reject(new Error("late"))),
      "t",
    );

    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: "late" }] });
  });

  test("with a JsonRpcError sends that error", async () => {
    const { error } = await call(
      serve(() => Promise.reject(new JsonRpcError(1234, "mine", { a: 1 }))),
      "t",
    );

    expect(error).toEqual({ code: 1234, message: "mine", data: { a: 1 } });
  });

  test("is reported to the owner of the server, whole", async () => {
    const onError = vi.fn();
    const failure = new Error("broken");

    await call(
      serve(() => Promise.reject(failure), { onError }),
      "t",
    );

    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, { method: "tools/call", name: "t" });
  });

  test("fails no further when the owner's hook fails, too", async () => {
    const onError = () => {
      throw new Error("hook");
    };

    const { result } = await call(
      serve(() => Promise.reject(new Error("broken")), { onError }),
      "t",
    );

    expect(result.isError).toBe(true);
  });

  test.each([
    ["a BigInt", () => 1n],
    ["a cycle", createCycle],
    ["a BigInt inside a result", () => ({ content: [], structuredContent: { n: 1n } })],
    [
      "a cycle inside an error",
      () => {
        throw new JsonRpcError(-1, "x", createCycle());
      },
    ],
  ])("to return what JSON can hold (%s) fails that call alone", async (_, create) => {
    const server = serve(create);

    const { error } = await call(server, "t");

    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect((await call(server, "t")).error.code).toBe(-32603);
  });

  test.each([
    ["a block of an unknown type", { content: [{ type: "hologram" }] }],
    [
      "a block with annotations for nobody",
      { content: [{ type: "text", text: "x", annotations: { audience: "user" } }] },
    ],
    ["a block with metadata that are text", { content: [{ type: "text", text: "x", _meta: "x" }] }],
    ["a link with a size that is text", { content: [{ type: "resource_link", uri: "x:y", name: "y", size: "5" }] }],
    ["a link with icons that are no list", { content: [{ type: "resource_link", uri: "x:y", name: "y", icons: {} }] }],
    [
      "contents of a type that is no text",
      { content: [{ type: "resource", resource: { uri: "x:y", text: "", mimeType: 5 } }] },
    ],
    ["a block whose text is a number", { content: [{ type: "text", text: 5 }] }],
    ["a resource without its address", { content: [{ type: "resource", resource: { text: "x" } }] }],
    ["a resource without its contents", { content: [{ type: "resource", resource: { uri: "file:///a" } }] }],
    ["an error flag that is text", { content: [], isError: "yes" }],
    ["metadata that is text", { content: [], _meta: "x" }],
  ])("to return a whole result that peers can read (%s) is told to the model and the owner", async (_, returned) => {
    const onError = vi.fn();

    const { result } = await call(
      serve(() => returned, { onError }),
      "t",
    );

    expect(result.isError).toBe(true);
    expect(result.content).toHaveLength(1);
    expect(onError).toHaveBeenCalledOnce();
  });
});

describeEras("a call that cannot be served", ({ ask, call }) => {
  test.each(["nope", "toString", "__proto__", "constructor", "hasOwnProperty", ""])(
    "for the unknown tool %j is an error",
    async (name) => {
      const { error } = await call(
        serve(() => "x"),
        name,
      );

      expect(error.code).toBe(-32602);
    },
  );

  test.each([
    ["no name", {}],
    ["a name that is no string", { name: 5 }],
    ["arguments that are an array", { name: "t", arguments: [] }],
    ["arguments that are a string", { name: "t", arguments: "a" }],
    ["arguments that are null", { name: "t", arguments: null }],
  ])("with %s is an error", async (_, params) => {
    const { error } = await ask(
      serve(() => "x"),
      "tools/call",
      params,
    );

    expect(error.code).toBe(-32602);
  });

  test("for a disabled tool is a call of an unknown one, until it is enabled", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    const tool = server.tool("t", {}, () => "x");

    tool.disable();
    expect((await call(server, "t")).error.code).toBe(-32602);
    tool.enable();
    expect((await call(server, "t")).result.content).toHaveLength(1);
    tool.remove();
    expect((await call(server, "t")).error.code).toBe(-32602);
  });

  test("reaches a tool that is named like a member of every object", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("constructor", {}, () => "mine");

    expect((await call(server, "constructor")).result.content[0].text).toBe("mine");
  });
});

describeEras("arguments", ({ ask, call }) => {
  const server = new MCPServer({ name: "test", version: "1" });
  server.tool("needs_a", { input: z.object({ a: z.number() }) }, ({ a }) => String(a));
  server.tool("all_optional", { input: z.object({ a: z.number().default(3) }) }, ({ a }) => String(a));
  server.tool("none", {}, () => "ok");

  test("that break the schema are told to the model, with their place", async () => {
    const { result } = await call(server, "needs_a", { a: "x" });

    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain("a:");
  });

  test("of endless names are not repeated in full", async () => {
    const { result } = await call(server, "none", { ["a".repeat(100_000)]: 1 });

    expect(result.isError).toBe(true);
    expect(result.content[0].text.length).toBeLessThan(2000);
  });

  test.each([
    ["all_optional", undefined, "3"],
    ["none", undefined, "ok"],
    ["all_optional", {}, "3"],
  ])("may be left out (%s with %j)", async (name, args, expected) => {
    const { result } = await ask(server, "tools/call", args === undefined ? { name } : { name, arguments: args });

    expect(result.content[0].text).toBe(expected);
  });

  test("are missed where the schema requires them", async () => {
    const { result } = await ask(server, "tools/call", { name: "needs_a" });

    expect(result.isError).toBe(true);
  });

  test("are refused by a tool that takes none", async () => {
    const { result } = await call(server, "none", { extra: 1 });

    expect(result.isError).toBe(true);
  });

  test("that break the schema can be made a protocol error", async () => {
    const strict = new MCPServer({ name: "test", version: "1", invalidArguments: "protocol-error" });
    strict.tool("needs_a", { input: z.object({ a: z.number() }) }, () => "x");

    expect((await call(strict, "needs_a")).error.code).toBe(-32602);
  });

  test("named __proto__ are data and change no object", async () => {
    const probe = new MCPServer({ name: "test", version: "1" });
    probe.tool("t", { input: { type: "object" } }, () => String(({} as { isAdmin?: boolean }).isAdmin));
    const message = JSON.parse(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"__proto__":{"isAdmin":true}}}}`,
    );

    const answer = await probe.handle(message);

    expect(answer).toMatchObject({ result: { content: [{ text: "undefined" }] } });
  });
});

describeEras("output with a schema", ({ call }) => {
  const output = z.object({ n: z.coerce.number(), extra: z.string().default("d") });

  test("is validated, and the validated value is sent", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", { output }, () => ({ n: "5" }));

    const { result } = await call(server, "t");

    expect(result.structuredContent).toEqual({ n: 5, extra: "d" });
    expect(JSON.parse(result.content[0].text)).toEqual({ n: 5, extra: "d" });
  });

  test("that breaks the schema is told to the model and reported", async () => {
    const onError = vi.fn();
    const server = new MCPServer({ name: "test", version: "1", onError });
    server.tool("t", { output: z.object({ n: z.number() }) }, (() => ({ n: "x" })) as never);

    const { result } = await call(server, "t");

    expect(result.isError).toBe(true);
    expect(onError).toHaveBeenCalledOnce();
  });

  test("may be part of a whole result", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", { output: z.object({ n: z.number() }) }, () => ({
      content: [{ type: "text" as const, text: "five" }],
      structuredContent: { n: 5 },
    }));

    const { result } = await call(server, "t");

    expect(result).toMatchObject({ content: [{ type: "text", text: "five" }], structuredContent: { n: 5 } });
  });

  test("is not asked of a result that reports an error", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", { output: z.object({ n: z.number() }) }, () => ({
      content: [{ type: "text" as const, text: "no" }],
      isError: true,
    }));

    expect((await call(server, "t")).result).toMatchObject({ isError: true, content: [{ text: "no" }] });
  });

  test("may be validated asynchronously", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", { output: z.object({ n: z.number().refine(async (n) => n > 1) }) }, () => ({ n: 5 }));

    expect((await call(server, "t")).result.structuredContent).toEqual({ n: 5 });
  });

  test("may be validated by a library with promises of its own", async () => {
    const standard = z.object({ n: z.number() })["~standard"];
    // biome-ignore lint/suspicious/noThenProperty: such a promise is what this is about
    const later = { then: (resolve: (result: object) => void) => resolve({ value: { n: 5 } }) };
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", { output: { "~standard": { ...standard, validate: () => later as never } } }, () => ({ n: 4 }));

    expect((await call(server, "t")).result.structuredContent).toEqual({ n: 5 });
  });
});

describe("a reserved error number that a handler throws", () => {
  test.each([
    [-32050, -32603],
    [-32002, -32602],
    [-32042, -32603],
    [-32021, -32021],
    [7, 7],
  ])("%i goes out as %i on modern revisions", async (thrown, sent) => {
    const { error } = await modern.call(
      serve(() => Promise.reject(new JsonRpcError(thrown, "x"))),
      "t",
    );

    expect(error.code).toBe(sent);
  });
});

function createCycle(): object {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  return cycle;
}
