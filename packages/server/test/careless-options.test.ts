import { MCPServer, MortiseError } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { modern } from "./eras.js";

const info = { name: "test", version: "1" };

function failureOf(run: () => unknown): MortiseError {
  try {
    run();
  } catch (error) {
    if (error instanceof MortiseError) return error;
  }
  throw new TypeError("Expected a MortiseError to be thrown");
}

test.each([
  ["no options", undefined],
  ["a description that is no text", { ...info, description: 5 }],
  ["instructions that are no text", { ...info, instructions: {} }],
  ["icons without an address", { ...info, icons: [{}] }],
  ["an icon of a theme that does not exist", { ...info, icons: [{ src: "https://example.com/i.png", theme: "blue" }] }],
  ["tools that are no list", { ...info, tools: {} }],
  ["a tool that is no object", { ...info, tools: [null] }],
  ["a prompt that is no object", { ...info, prompts: ["x"] }],
  ["a resource that is no object", { ...info, resources: [5] }],
  ["cache hints that are no object", { ...info, cache: 60_000 }],
  ["a cache hint that is no object", { ...info, cache: { tools: 60_000 } }],
  ["a cache hint for what does not exist", { ...info, cache: { tool: { ttlMs: 0 } } }],
  ["versions that are no list", { ...info, protocolVersions: "2026-07-28" }],
  ["a reporter that is no function", { ...info, onError: true }],
  ["a way to answer that does not exist", { ...info, invalidArguments: "error" }],
  ["a stamp that is no flag", { ...info, stampServerInfo: "no" }],
  ["leniency that is no object", { ...info, lenient: true }],
  ["an option that does not exist", { ...info, pagesize: 5 }],
  ["an excuse that does not exist", { ...info, lenient: { ping: true } }],
  ["an excuse that is no flag", { ...info, lenient: { modernPing: "yes" } }],
])("a server cannot be made of %s", (_, options) => {
  expect(failureOf(() => new MCPServer(options as never)).code).toBe("invalid_options");
});

test.each([
  ["a function in place of the definition", () => "x"],
  ["a title that is no text", { title: {} }],
  ["a description that is no text", { description: 5 }],
  ["a hint that is no flag", { annotations: { readOnlyHint: "yes" } }],
  ["annotations that are nothing", { annotations: null }],
  ["annotations that are text", { annotations: "readOnly" }],
  ["annotations that are nothing in JSON", { annotations: new Date(Number.NaN) }],
  ["an icon whose sizes are no list", { icons: [{ src: "https://example.com/i.png", sizes: "48x48" }] }],
  ["annotations that JSON cannot hold", { annotations: { size: 1n } }],
  ["a list in place of metadata", { _meta: [] }],
  ["icons that are no list", { icons: { src: "https://example.com/i.png" } }],
  ["one question in place of a list", { asks: "sample" }],
  ["a question that does not exist", { asks: ["sampling"] }],
])("a tool with %s is refused, and the list still works", async (_, definition) => {
  const server = new MCPServer(info);
  server.tool("good", {}, () => "x");
  expect(failureOf(() => server.tool("bad", definition as never, () => "x")).code).toBe("invalid_options");
  const response = await modern.ask(server, "tools/list");
  expect(response).toMatchObject({ result: { tools: [{ name: "good" }] } });
});

test.each(["inputSchema", "outputSchema", "parameters"])("a definition with %s is refused by that name", (member) => {
  const server = new MCPServer(info);
  const { code, message } = failureOf(() => server.tool("t", { [member]: { type: "object" } }, () => "x"));
  expect(code).toBe("invalid_options");
  expect(message).toContain(`"${member}"`);
});

test("a listed tool can be registered again", () => {
  const first = new MCPServer(info);
  first.tool("t", { input: { type: "object", required: ["a"] } }, () => "x");
  const second = new MCPServer(info);
  for (const tool of first.getToolDefinitions()) {
    const input = tool.inputSchema as Record<string, unknown>; // every listed tool has one
    second.tool("t", { ...tool, input }, () => "x");
  }
  expect(second.getToolDefinitions()).toEqual(first.getToolDefinitions());
});

test.each(["input", "output", "parameters"])("a tool of the constructor with %s is refused by that name", (member) => {
  const tools = [{ name: "t", [member]: { type: "object" }, handler: () => "x" }];
  const { code, message } = failureOf(() => new MCPServer({ ...info, tools }));
  expect(code).toBe("invalid_options");
  expect(message).toContain(`"${member}"`);
});

test("a definition that is changed after registration changes nothing", async () => {
  const server = new MCPServer(info);
  const annotations = { title: "before" };
  server.tool("t", { annotations, icons: [] }, () => "x");
  annotations.title = "after";
  expect(server.getToolDefinitions()).toMatchObject([{ annotations: { title: "before" } }]);
});

test("what is no middleware and what is no transport are refused at once", async () => {
  const server = new MCPServer(info);
  expect(failureOf(() => server.use({} as never)).code).toBe("invalid_options");
  await expect(server.listen((() => undefined) as never)).rejects.toMatchObject({ code: "invalid_options" });
  await expect(server.listen({} as never)).rejects.toMatchObject({ code: "invalid_options" });
  expect(failureOf(() => server.connectPipe({ transport: "x" } as never)).code).toBe("invalid_options");
});

test.each([undefined, null, 5])("a change that is %s is refused", (change) => {
  const server = new MCPServer(info);
  const tool = server.tool("t", {}, () => "x");
  const prompt = server.prompt("p", {}, () => "x");
  const resource = server.resource("x:y", {}, () => "x");
  const updates = [tool, prompt, resource].map(({ update }) => update as (change: unknown) => void);
  for (const update of updates) expect(failureOf(() => update(change)).code).toBe("invalid_options");
});

test.each([undefined, null, 5])("questions that are %s are refused", async (questions) => {
  const errors: unknown[] = [];
  const server = new MCPServer({ ...info, onError: (error) => errors.push(error) });
  server.tool("t", {}, async (_, { ask }) => ask(questions as never));
  expect(await modern.call(server, "t")).toMatchObject({ result: { isError: true } });
  expect(errors).toMatchObject([{ code: "invalid_options" }]);
});

test("the handle of a tool that is gone leaves a later tool of the same name alone", async () => {
  const server = new MCPServer(info);
  const first = server.tool("t", {}, () => "first");
  first.remove();
  server.tool("t", {}, () => "second");
  first.disable();
  first.update({ handler: () => "third" });
  first.remove();
  const response = await modern.ask(server, "tools/call", { name: "t" });
  expect(response).toMatchObject({ result: { content: [{ text: "second" }] } });
});

describe("a handler that returns", () => {
  const lossy: [string, unknown][] = [
    ["a Map", new Map([[1, 2]])],
    ["a Set", new Set([1])],
    ["an error", new Error("lost")],
    ["an expression", /x/],
    ["a generator", (function* () {})()],
    ["an async generator", (async function* () {})()],
    ["bytes", new Uint8Array([1])],
  ];

  test.each(lossy)("%s, of which JSON keeps nothing, fails its call", async (_, value) => {
    const errors: unknown[] = [];
    const server = new MCPServer({ ...info, onError: (error) => errors.push(error) });
    server.tool("t", {}, () => value as object);
    expect(await modern.ask(server, "tools/call", { name: "t" })).toMatchObject({ error: { code: -32603 } });
    expect(errors).toHaveLength(1);
  });

  test("a result that chooses another form in JSON gives that form as structured content", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => ({ content: [], _meta: {}, toJSON: () => 5 }));
    expect(await modern.ask(server, "tools/call", { name: "t" })).toMatchObject({
      result: { structuredContent: 5 },
    });
  });
});

test("a progress token that is too large a number for JSON gets no progress", async () => {
  const server = new MCPServer(info);
  server.tool("t", {}, (_, context) => void context.progress(1));
  const sent: unknown[] = [];
  const params = { name: "t", _meta: { progressToken: Number.POSITIVE_INFINITY } };
  await modern.ask(server, "tools/call", params, { send: (notice) => void sent.push(notice) });
  expect(sent).toEqual([]);
});

test.each([null, 5, Symbol("text"), () => "text"])(
  "text for a notice that is no text (%s) is told to the handler",
  async (text) => {
    const server = new MCPServer(info);
    server.tool("progress", {}, (_, context) => void context.progress(1, 2, text as never));
    server.tool("log", {}, (_, context) => void context.log("error", "data", text as never));
    for (const name of ["progress", "log"]) {
      const response = await modern.ask(server, "tools/call", { name, _meta: { progressToken: 1 } });
      expect(response).toMatchObject({ result: { isError: true } });
    }
  },
);
