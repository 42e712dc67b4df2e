import { MCPServer, type Visible } from "@mortise/server";
import { expect, test, vi } from "vitest";
import { describeEras, modern } from "./eras.js";

const info = { name: "test", version: "1" };
const onlyAda: Visible = ({ principal }) => principal === "ada";
const ada = { principal: "ada" };
const bob = { principal: "bob" };

/** A server with `open1`, `secret1`, `open2`, `secret2`, … of which only one caller sees the secrets. */
function createServer(count: number, options: object = {}): MCPServer {
  const server = new MCPServer({ ...info, ...options });
  for (let index = 1; index <= count; index += 1) {
    server.tool(`open${index}`, {}, () => "x");
    server.tool(`secret${index}`, { visible: onlyAda }, () => "x");
  }
  return server;
}

const names = (result: { tools: { name: string }[] }) => result.tools.map(({ name }) => name);

describeEras("tools that not everybody sees", ({ ask }) => {
  test("are listed for those who do, whoever asked before", async () => {
    const server = createServer(2);
    const list = async (options: object) => names((await ask(server, "tools/list", {}, options)).result);

    expect(await list(ada)).toEqual(["open1", "secret1", "open2", "secret2"]);
    expect(await list(bob)).toEqual(["open1", "open2"]);
    expect(await list({})).toEqual(["open1", "open2"]);
    expect(await list(ada)).toEqual(["open1", "secret1", "open2", "secret2"]);
  });

  test("are unknown ones to everybody else", async () => {
    const server = createServer(1);
    const call = (name: string, options: object) => ask(server, "tools/call", { name }, options);

    expect((await call("secret1", ada)).result.content[0].text).toBe("x");
    const hidden = (await call("secret1", bob)).error;
    const unknown = (await call("secret9", bob)).error;
    expect(hidden).toEqual({ code: -32602, message: unknown.message.replace("9", "1") });
  });

  test("can depend on what the authorization check found", async () => {
    const server = new MCPServer(info);
    server.tool("t", { visible: ({ auth }) => (auth as { scopes: string[] }).scopes.includes("admin") }, () => "x");
    const list = async (scopes: string[]) => (await ask(server, "tools/list", {}, { auth: { scopes } })).result.tools;

    expect(await list(["admin"])).toHaveLength(1);
    expect(await list(["user"])).toHaveLength(0);
  });

  test("fill pages like any others, and a cursor holds for every caller", async () => {
    const server = createServer(4, { pageSize: 2 });
    const list = async (options: object, cursor?: string) => {
      const { result } = await ask(server, "tools/list", cursor === undefined ? {} : { cursor }, options);
      return { names: names(result), next: result.nextCursor };
    };
    const first = await list(bob);
    const second = await list(bob, first.next);

    expect([first.names, second.names, second.next]).toEqual([["open1", "open2"], ["open3", "open4"], undefined]);
    expect((await list(ada, first.next)).names).toEqual(["secret2", "open3"]);
  });

  test("are shown and hidden as their definition changes", async () => {
    const server = new MCPServer(info);
    const tool = server.tool("t", { visible: onlyAda }, () => "x");
    const list = async () => (await ask(server, "tools/list", {}, bob)).result.tools;
    expect(await list()).toEqual([]);

    tool.update({ visible: undefined });

    expect(await list()).toHaveLength(1);
  });

  test.each([
    ["throws", () => assertFails()],
    ["promises an answer", async () => true],
    ["promises one that fails", () => Promise.reject(new Error("late"))],
    ["says neither yes nor no", () => "yes"],
  ])("are hidden when the check %s, and the owner is told", async (_, visible) => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, onError });
    server.tool("t", { visible: visible as unknown as Visible }, () => "x");

    expect((await ask(server, "tools/list")).result.tools).toEqual([]);
    expect((await ask(server, "tools/call", { name: "t" })).error.code).toBe(-32602);
    expect(onError).toHaveBeenCalledWith(expect.any(Error), { method: "tools/list", name: "t" });
    expect(onError).toHaveBeenCalledWith(expect.any(Error), { method: "tools/call", name: "t" });
  });

  test("stay right for more callers than pages are kept for", async () => {
    const server = new MCPServer(info);
    for (let bit = 0; bit < 8; bit += 1) {
      server.tool(`t${bit}`, { visible: ({ auth }) => (((auth as number) >> bit) & 1) === 1 }, () => "x");
    }
    for (const auth of [...Array(200).keys(), 5]) {
      const { result } = await ask(server, "tools/list", {}, { auth });
      expect(names(result)).toEqual([...Array(8).keys()].filter((bit) => (auth >> bit) & 1).map((bit) => `t${bit}`));
    }
  });
});

test("a list is private while something on it is not for everybody", async () => {
  const server = createServer(0);
  server.tool("open", {}, () => "x");
  const secret = server.tool("secret", { visible: onlyAda }, () => "x");
  const scope = async () => (await modern.ask(server, "tools/list")).result.cacheScope;

  expect(await scope()).toBe("private");
  secret.remove();
  expect(await scope()).toBe("public");
});

test("every page of such a list is private, also one with nothing hidden on it", async () => {
  const server = createServer(2, { pageSize: 1 });
  const { result } = await modern.ask(server, "tools/list", {}, bob);
  const later = (await modern.ask(server, "tools/list", { cursor: result.nextCursor })).result;

  expect([result.cacheScope, later.cacheScope]).toEqual(["private", "private"]);
});

test("a check that is no function is refused", () => {
  const visible = true as unknown as Visible;

  expect(() => new MCPServer(info).tool("t", { visible }, () => "x")).toThrow('"visible"');
});

function assertFails(): never {
  throw new Error("broken");
}
