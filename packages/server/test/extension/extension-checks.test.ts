import type { Extension, JsonObject } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { ask, createServer, ID } from "./extended.js";

const failureOf = (run: () => unknown): unknown => {
  try {
    run();
    return undefined;
  } catch (error) {
    return error;
  }
};

const run = (): JsonObject => ({});
const topics = (): string[] => [];
const notice = (): undefined => undefined;

describe("what is no extension is refused", () => {
  test.each<[string, unknown]>([
    ["no object", undefined],
    ["no id", {}],
    ["an id without a domain", { id: "x" }],
    ["an id without a name", { id: "com.example/" }],
    ["an id with two slashes", { id: "com.example/x/y" }],
    ["a label that begins with a digit", { id: "com.1example/x" }],
    ["a label that ends with a dash", { id: "com.example-/x" }],
    ["a name that ends with a dot", { id: "com.example/x." }],
    ["a long id", { id: `com.example/${"x".repeat(300)}` }],
    ["settings that are no object", { id: ID, settings: [] }],
    ["settings that JSON cannot hold", { id: ID, settings: { size: 1n } }],
    ["a flag that is none", { id: ID, negotiated: "yes" }],
    ["methods that are a list", { id: ID, methods: [] }],
    ["a method that is a function", { id: ID, methods: { "x/y": run } }],
    ["a method that does nothing", { id: ID, methods: { "x/y": {} } }],
    ["a method that is a notification", { id: ID, methods: { "notifications/y": { run } } }],
    ["a method without a name", { id: ID, methods: { "": { run } } }],
    ["params that are no function", { id: ID, methods: { "x/y": { run, params: {} } } }],
    ["a mirrored member that is no name", { id: ID, methods: { "x/y": { run, mirrors: 1 } } }],
    ["one result type in place of a list", { id: ID, resultTypes: "task" }],
    ["a result type of the protocol", { id: ID, resultTypes: ["complete"] }],
    ["an empty result type", { id: ID, resultTypes: [""] }],
    ["a wrapper that is no function", { id: ID, aroundToolCall: {} }],
    ["a filter that is a function", { id: ID, listenFilter: topics }],
    ["a filter without topics", { id: ID, listenFilter: { member: "ids", notice } }],
    ["a filter without notices", { id: ID, listenFilter: { member: "ids", topics } }],
    ["a filter member of the protocol", { id: ID, listenFilter: { member: "toolsListChanged", topics, notice } }],
  ])("%s", (_, extension) => {
    expect(failureOf(() => createServer().extend(extension as never))).toMatchObject({ code: "invalid_options" });
  });

  test.each<[string, Extension]>([
    ["an extension of the same id", { id: ID }],
    ["a method of the protocol", { id: "com.example/y", methods: { "tools/call": { run } } }],
    ["a method of legacy revisions", { id: "com.example/y", methods: { initialize: { run } } }],
    ["a method of another extension", { id: "com.example/y", methods: { "x/y": { run } } }],
    ["a filter member of another extension", { id: "com.example/y", listenFilter: { member: "ids", topics, notice } }],
  ])("%s, and nothing of it is added", async (_, extension) => {
    const server = createServer();
    server.extend({ id: ID, methods: { "x/y": { run } }, listenFilter: { member: "ids", topics, notice } });
    const more = { ...extension, methods: { "y/new": { run }, ...extension.methods } };

    expect(failureOf(() => server.extend(more))).toMatchObject({ code: "duplicate_name" });

    expect(await ask(server, "y/new")).toMatchObject({ error: { code: -32601 } });
    const { result } = await ask(server, "server/discover");
    expect(result.capabilities.extensions).toEqual({ [ID]: {} });
  });

  test.each(["io.modelcontextprotocol/tasks", "a/b", "com.example-two.x9/Some_name-1.0"])("%s is a good id", (id) => {
    expect(() => createServer().extend({ id })).not.toThrow();
  });
});
