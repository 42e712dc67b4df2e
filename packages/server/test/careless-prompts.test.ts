import { type JsonSchema, MCPServer, MortiseError, type PromptDefinition } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
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

const NUMBERS = { type: "object", properties: { a: { type: "number" } } };

test.each([
  ["a function in place of the definition", "invalid_options", () => "x"],
  ["a title that is no text", "invalid_options", { title: {} }],
  ["a description that is no text", "invalid_options", { description: 5 }],
  ["a list in place of metadata", "invalid_options", { _meta: [] }],
  ["icons without an address", "invalid_options", { icons: [{}] }],
  ["a question that does not exist", "invalid_options", { asks: ["sampling"] }],
  ["a check of callers that is no function", "invalid_options", { visible: true }],
  ["an argument that is no object", "invalid_options", { input: ["a"] }],
  ["an argument without a name", "invalid_options", { input: [{ description: "d" }] }],
  ["an argument whose title is no text", "invalid_options", { input: [{ name: "a", title: 5 }] }],
  ["an argument that is half required", "invalid_options", { input: [{ name: "a", required: "yes" }] }],
  ["two arguments of one name", "duplicate_name", { input: [{ name: "a" }, { name: "a" }] }],
  ["completers that are no object", "invalid_options", { input: [{ name: "a" }], complete: [] }],
  ["an object of schemas in place of one", "schema_invalid", { input: { a: z.string() } }],
  ["a schema whose root is no object", "schema_invalid", { input: { type: "string" } }],
  ["a plain schema of an argument that no string fits", "schema_invalid", { input: NUMBERS }],
])("a prompt with %s is refused, and the list still works", async (_, code, definition) => {
  const server = new MCPServer(info);
  server.prompt("good", {}, () => "x");

  expect(failureOf(() => server.prompt("bad", definition as PromptDefinition, () => "x")).code).toBe(code);
  expect(await modern.ask(server, "prompts/list")).toMatchObject({ result: { prompts: [{ name: "good" }] } });
});

test.each<[string, unknown, unknown]>([
  ["without a name", "", () => "x"],
  ["with a name that is no text", 5, () => "x"],
  ["without a handler", "p", undefined],
])("a prompt %s is refused", (_, name, handler) => {
  const server = new MCPServer(info);

  expect(failureOf(() => server.prompt(name as string, {}, handler as () => string)).code).toBe("invalid_options");
});

test.each(["arguments", "argsSchema", "inputSchema", "parameters"])("a definition with %s is refused", (member) => {
  const { code, message } = failureOf(() => new MCPServer(info).prompt("p", { [member]: [] } as object, () => "x"));

  expect([code, message]).toEqual(["invalid_options", expect.stringContaining(`"${member}"`)]);
});

test("a prompt of the constructor with input is refused by that name", () => {
  const prompts = [{ name: "p", input: [], handler: () => "x" }];

  expect(failureOf(() => new MCPServer({ ...info, prompts })).message).toContain('"input"');
});

test("prompts that are no list are refused", () => {
  expect(failureOf(() => new MCPServer({ ...info, prompts: {} as [] })).code).toBe("invalid_options");
});

test("two prompts of one name are refused, a tool of that name is not", () => {
  const server = new MCPServer(info);
  server.prompt("p", {}, () => "x");
  server.tool("p", {}, () => "x");

  expect(failureOf(() => server.prompt("p", {}, () => "y")).code).toBe("duplicate_name");
});

test("a failed update changes nothing", async () => {
  const server = new MCPServer(info);
  const prompt = server.prompt("p", { description: "old" }, () => "x");

  expect(failureOf(() => prompt.update({ description: "new", input: NUMBERS })).code).toBe("schema_invalid");
  expect((await modern.ask(server, "prompts/list")).result.prompts).toEqual([{ name: "p", description: "old" }]);
});

describe("a plain schema with a dangerous pattern", () => {
  const input: JsonSchema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };

  test("is told to the owner, and keeps the server from listening", async () => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, onError });
    server.prompt("p", { input }, () => "x");

    await expect(server.listen({ start: vi.fn() })).rejects.toMatchObject({ code: "unsafe_pattern" });
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: "unsafe_pattern" }), { name: "p" });
    const params = { name: "p", arguments: { a: "a" } };
    expect((await modern.ask(server, "prompts/get", params)).error.code).toBe(-32603);
  });
});
