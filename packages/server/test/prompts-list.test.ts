import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createLegacy, describeEras, modern } from "./eras.js";
import { open, settled } from "./pipe-client.js";

const info = { name: "test", version: "1" };
const names = (result: { prompts: { name: string }[] }) => result.prompts.map(({ name }) => name);

describeEras("prompts/list", ({ ask }) => {
  const list = async (server: MCPServer, cursor?: string) =>
    (await ask(server, "prompts/list", cursor === undefined ? {} : { cursor })).result;

  test("lists what a plain list says of the arguments", async () => {
    const server = new MCPServer(info);
    const input = [
      { name: "code", title: "Code", description: "what to review", required: true },
      { name: "style", required: false },
    ] as const;
    server.prompt("review", { title: "Review", description: "d", input }, () => "x");

    expect((await list(server)).prompts).toEqual([
      { name: "review", title: "Review", description: "d", arguments: input },
    ]);
  });

  test("lists what a schema says of the arguments", async () => {
    const server = new MCPServer(info);
    const input = z.object({
      code: z.string().meta({ title: "Code", description: "what to review" }),
      lines: z.coerce.number().describe("how many").default(3),
    });
    server.prompt("review", { input }, () => "x");

    expect((await list(server)).prompts[0].arguments).toEqual([
      { name: "code", title: "Code", description: "what to review", required: true },
      { name: "lines", description: "how many" },
    ]);
  });

  test("lists no arguments where there are none", async () => {
    const server = new MCPServer(info);
    server.prompt("p", {}, () => "x");

    expect((await list(server)).prompts).toEqual([{ name: "p" }]);
  });

  test("goes through pages by cursors, which no other list understands", async () => {
    const server = new MCPServer({ ...info, pageSize: 2 });
    for (const name of ["a", "b", "c"]) {
      server.prompt(name, {}, () => "x");
      server.tool(name, {}, () => "x");
    }
    const first = await list(server);
    const second = await list(server, first.nextCursor);

    expect([names(first), names(second), second.nextCursor]).toEqual([["a", "b"], ["c"], undefined]);
    expect((await ask(server, "tools/list", { cursor: first.nextCursor })).error.code).toBe(-32602);
    expect((await ask(server, "prompts/list", { cursor: "x" })).error.code).toBe(-32602);
  });

  test("shows changes at once", async () => {
    const server = new MCPServer(info);
    const prompt = server.prompt("p", { description: "old" }, () => "x");
    expect((await list(server)).prompts).toEqual([{ name: "p", description: "old" }]);

    prompt.update({ description: "new", input: [{ name: "a" }] });
    expect((await list(server)).prompts).toEqual([{ name: "p", description: "new", arguments: [{ name: "a" }] }]);
    prompt.disable();
    expect((await list(server)).prompts).toEqual([]);
    prompt.enable();
    expect(names(await list(server))).toEqual(["p"]);
    prompt.remove();
    expect((await list(server)).prompts).toEqual([]);
  });

  test("exists once the server has prompts, or could have", async () => {
    expect((await ask(new MCPServer(info), "prompts/list")).error.code).toBe(-32601);
    expect((await list(new MCPServer({ ...info, prompts: [] }))).prompts).toEqual([]);
  });

  test("lists prompts that the constructor was given", async () => {
    const prompts = [{ name: "p", description: "d", arguments: [{ name: "a", required: true }], handler: () => "hi" }];
    const server = new MCPServer({ ...info, prompts });

    expect((await list(server)).prompts).toEqual([
      { name: "p", description: "d", arguments: [{ name: "a", required: true }] },
    ]);
    const { result } = await ask(server, "prompts/get", { name: "p", arguments: { a: "1" } });
    expect(result.messages).toHaveLength(1);
  });

  test("leaves out prompts that the caller may not see", async () => {
    const server = new MCPServer(info);
    server.prompt("secret", { visible: ({ principal }) => principal === "ada" }, () => "x");

    expect(names((await ask(server, "prompts/list", {}, { principal: "ada" })).result)).toEqual(["secret"]);
    expect(names((await ask(server, "prompts/list", {}, { principal: "bob" })).result)).toEqual([]);
  });
});

test("a legacy client on a pipe is told that the list of prompts changed", async () => {
  const server = new MCPServer({ ...info, prompts: [] });
  const client = open(server);
  client.agree();

  const prompt = server.prompt("p", {}, () => "x");
  await settled();
  prompt.disable();
  await settled();

  const changed = { jsonrpc: "2.0", method: "notifications/prompts/list_changed" };
  expect(client.received).toEqual([changed, changed]);
});

describe("the members of a listed prompt", () => {
  const icons = [{ src: "https://example.com/i.png" }];
  const prompt = { name: "p", title: "P", description: "d", icons, _meta: { a: 1 } };
  const argument = { name: "a", title: "A", description: "d", required: true };
  const { title: _title, icons: _icons, _meta, ...oldest } = prompt;
  const { title: _argumentTitle, ...oldArgument } = argument;

  test.each([
    ["2024-11-05", { ...oldest, arguments: [oldArgument] }],
    ["2025-03-26", { ...oldest, arguments: [oldArgument] }],
    ["2025-06-18", { ...oldest, title: "P", _meta, arguments: [argument] }],
    ["2025-11-25", { ...prompt, arguments: [argument] }],
    ["2026-07-28", { ...prompt, arguments: [argument] }],
  ])("are those that %s knows", async (version, expected) => {
    const server = new MCPServer(info);
    const { name, ...definition } = prompt;
    server.prompt(name, { ...definition, input: [argument] }, () => "x");
    const asker = version === modern.version ? modern : createLegacy(version);

    expect((await asker.ask(server, "prompts/list")).result.prompts).toEqual([expected]);
  });
});

describe("cache hints of prompts/list", () => {
  const hints = async (server: MCPServer, options = {}) => {
    const { ttlMs, cacheScope } = (await modern.ask(server, "prompts/list", {}, options)).result;
    return { ttlMs, cacheScope };
  };

  test("are the server's", async () => {
    const cache = { prompts: { ttlMs: 5, scope: "private" }, tools: { ttlMs: 7 } } as const;

    expect(await hints(new MCPServer({ ...info, prompts: [] }))).toEqual({ ttlMs: 60_000, cacheScope: "public" });
    expect(await hints(new MCPServer({ ...info, prompts: [], cache }))).toEqual({ ttlMs: 5, cacheScope: "private" });
  });

  test("keep the list private where it depends on the caller, or the caller is known", async () => {
    const server = new MCPServer({ ...info, prompts: [] });
    expect((await hints(server, { principal: "ada" })).cacheScope).toBe("private");

    server.prompt("secret", { visible: () => false }, () => "x");
    expect((await hints(server)).cacheScope).toBe("private");
  });
});
