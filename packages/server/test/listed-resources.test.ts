import { JsonRpcError, type ListedResource, MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { createLegacy, describeEras, modern } from "./eras.js";

const info = { name: "test", version: "1" };
const read = () => "x";
const uris = (result: { resources: { uri: string }[] }) => result.resources.map(({ uri }) => uri);

describeEras("resources that a template lists", ({ ask }) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ uri: `n://${index + 1}` }));

  test("follow the registered ones", async () => {
    const server = new MCPServer(info);
    server.resource("n://{id}", { mimeType: "text/plain", title: "N", list: () => numbers(2) }, read);
    server.resource("m://{id}", { list: async () => [{ uri: "m://1", name: "one", mimeType: "a/b", size: 5 }] }, read);
    server.resource("x://a", {}, read);

    expect((await ask(server, "resources/list")).result.resources).toEqual([
      { uri: "x://a", name: "x://a" },
      { uri: "n://1", name: "n://1", mimeType: "text/plain" },
      { uri: "n://2", name: "n://2", mimeType: "text/plain" },
      { uri: "m://1", name: "one", mimeType: "a/b", size: 5 },
    ]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("are all listed once on pages of %i", async (pageSize) => {
    const server = new MCPServer({ ...info, pageSize });
    for (const id of ["a", "b", "c"]) server.resource(`x://${id}`, {}, read);
    server.resource("n://{id}", { list: () => numbers(3) }, read);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await ask(server, "resources/list", cursor === undefined ? {} : { cursor });
      expect(result.resources.length).toBeLessThanOrEqual(pageSize);
      expect(result.resources.length).toBeGreaterThan(0);
      listed.push(...uris(result));
      cursor = result.nextCursor;
    } while (cursor !== undefined);

    expect(listed).toEqual(["x://a", "x://b", "x://c", "n://1", "n://2", "n://3"]);
  });

  test("are not listed again where they are registered", async () => {
    const server = new MCPServer(info);
    server.resource("n://{id}", { list: () => numbers(2) }, read);
    server.resource("n://1", { title: "first" }, read);

    expect((await ask(server, "resources/list")).result.resources).toEqual([
      { uri: "n://1", name: "n://1", title: "first" },
      { uri: "n://2", name: "n://2" },
    ]);
  });

  test("may depend on the caller", async () => {
    const server = new MCPServer(info);
    server.resource("n://{id}", { list: ({ principal }) => [{ uri: `n://${principal}` }] }, read);
    server.resource(
      "m://{id}",
      { visible: ({ principal }) => principal === "ann", list: () => [{ uri: "m://1" }] },
      read,
    );
    const listFor = async (principal: string) => uris((await ask(server, "resources/list", {}, { principal })).result);

    expect(await listFor("ann")).toEqual(["n://ann", "m://1"]);
    expect(await listFor("bob")).toEqual(["n://bob"]);
  });

  test("fail the list when they cannot be had, which is told to the owner alone", async () => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, onError });
    const list = () => {
      throw new Error("password 123");
    };
    server.resource("n://{id}", { list }, read);

    expect((await ask(server, "resources/list")).error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "password 123" }), {
      method: "resources/list",
      name: "n://{id}",
    });
  });

  test("fail the list with what was thrown to be sent", async () => {
    const server = new MCPServer(info);
    server.resource("n://{id}", { list: () => Promise.reject(new JsonRpcError(-32123, "busy")) }, read);

    expect((await ask(server, "resources/list")).error).toEqual({ code: -32123, message: "busy" });
  });

  test.each([
    undefined,
    "n://1",
    [{}],
    [{ uri: "m://1" }],
    [{ uri: "n://{a}" }],
    [{ uri: "n://a/b" }],
    [{ uri: "n://1", title: 5 }],
    [null],
  ])("must not be %j", async (listed) => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, onError });
    server.resource("n://{id}", { list: () => listed as ListedResource[] }, read);

    expect((await ask(server, "resources/list")).error.code).toBe(-32603);
    expect(onError).toHaveBeenCalledOnce();
  });

  test("understand no cursor that was not given out", async () => {
    const server = new MCPServer({ ...info, pageSize: 1 });
    server.resource("n://{id}", { list: () => numbers(3) }, read);

    for (const cursor of ["", "x", btoa("listed:0"), btoa("listed:x"), btoa("resourceTemplates:1")])
      expect((await ask(server, "resources/list", { cursor })).error.code).toBe(-32602);
  });
});

describe("resources that a template lists", () => {
  test("are listed as a revision knows them", async () => {
    const server = new MCPServer(info);
    server.resource("n://{id}", { list: () => [{ uri: "n://1", title: "One", description: "d" }] }, read);

    const { result } = await createLegacy("2024-11-05").ask(server, "resources/list");

    expect(result).toEqual({ resources: [{ uri: "n://1", name: "n://1", description: "d" }] });
  });

  test("are private where their template is not for everybody", async () => {
    const scopeWith = async (visible?: () => boolean) => {
      const server = new MCPServer(info);
      server.resource("n://{id}", { list: () => [], ...(visible === undefined ? {} : { visible }) }, read);
      return (await modern.ask(server, "resources/list")).result.cacheScope;
    };

    expect([await scopeWith(), await scopeWith(() => false)]).toEqual(["public", "private"]);
  });

  test("come from templates alone", () => {
    const invalid = expect.objectContaining({ code: "invalid_options" });

    expect(() => new MCPServer(info).resource("x://a", { list: () => [] }, read)).toThrow(invalid);
    expect(() => new MCPServer(info).resource("x://{a}", { list: [] as never }, read)).toThrow(invalid);
  });
});
