import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { createLegacy, describeEras, modern } from "./eras.js";

const info = { name: "test", version: "1" };
const read = () => "x";

const everything = {
  name: "main",
  title: "Main",
  description: "d",
  mimeType: "text/x-rust",
  icons: [{ src: "https://example.com/a.png", theme: "dark" }],
  annotations: { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" },
  _meta: { "com.example/a": 1 },
} as const;

describeEras("resources/list", ({ ask }) => {
  const list = async (server: MCPServer, cursor?: string) =>
    (await ask(server, "resources/list", cursor === undefined ? {} : { cursor })).result;

  test("lists what is known of a resource", async () => {
    const server = new MCPServer(info);
    server.resource("file:///main.rs", { ...everything, size: 5 }, read);

    expect((await list(server)).resources).toEqual([{ uri: "file:///main.rs", ...everything, size: 5 }]);
  });

  test("names a resource that has no name by its address", async () => {
    const server = new MCPServer(info);
    server.resource("file:///main.rs", {}, read);

    expect((await list(server)).resources).toEqual([{ uri: "file:///main.rs", name: "file:///main.rs" }]);
  });

  test("goes through pages by cursors, which the list of templates does not understand", async () => {
    const server = new MCPServer({ ...info, pageSize: 2 });
    for (const id of ["a", "b", "c"]) {
      server.resource(`x://${id}`, {}, read);
      server.resource(`x://{${id}}`, {}, read);
    }
    const first = await list(server);
    const second = await list(server, first.nextCursor);

    expect(first.resources.map(({ uri }: { uri: string }) => uri)).toEqual(["x://a", "x://b"]);
    expect(second.resources.map(({ uri }: { uri: string }) => uri)).toEqual(["x://c"]);
    expect(second).not.toHaveProperty("nextCursor");
    expect((await ask(server, "resources/templates/list", { cursor: first.nextCursor })).error.code).toBe(-32602);
    expect((await ask(server, "resources/list", { cursor: "x" })).error.code).toBe(-32602);
    expect((await ask(server, "resources/list", { cursor: 5 })).error.code).toBe(-32602);
  });

  test("shows changes through a handle at once", async () => {
    const server = new MCPServer(info);
    const handle = server.resource("x://a", { title: "A" }, read);
    await list(server);

    handle.update({ title: "B" });
    expect((await list(server)).resources).toEqual([{ uri: "x://a", name: "x://a", title: "B" }]);
    handle.disable();
    expect((await list(server)).resources).toEqual([]);
    handle.enable();
    expect((await list(server)).resources).toHaveLength(1);
    handle.remove();
    expect((await list(server)).resources).toEqual([]);
    expect(handle.uri).toBe("x://a");
  });

  test("keeps a resource as it was when a change to it is refused", async () => {
    const server = new MCPServer(info);
    const handle = server.resource("x://a", { title: "A" }, read);

    expect(() => handle.update({ size: -1 })).toThrow(expect.objectContaining({ code: "invalid_options" }));
    expect((await list(server)).resources).toEqual([{ uri: "x://a", name: "x://a", title: "A" }]);
  });

  test("hides what a caller may not see", async () => {
    const server = new MCPServer(info);
    server.resource("x://a", {}, read);
    server.resource("x://b", { visible: ({ principal }) => principal === "ann" }, read);
    const urisFor = async (principal: string) => {
      const { result } = await ask(server, "resources/list", {}, { principal });
      return result.resources.map(({ uri }: { uri: string }) => uri);
    };

    expect([await urisFor("ann"), await urisFor("bob")]).toEqual([["x://a", "x://b"], ["x://a"]]);
  });

  test("does not exist on a server that never had resources", async () => {
    expect((await ask(new MCPServer(info), "resources/list")).error.code).toBe(-32601);
    expect((await ask(new MCPServer({ ...info, resources: [] }), "resources/list")).result.resources).toEqual([]);
  });

  test("is empty, not missing, where there are only templates", async () => {
    const server = new MCPServer(info);
    server.resource("x://{a}", {}, read);

    expect((await list(server)).resources).toEqual([]);
  });
});

describeEras("resources/templates/list", ({ ask }) => {
  test("lists what is known of a template, and no resources", async () => {
    const server = new MCPServer(info);
    server.resource("file:///{+path}", everything, read);
    server.resource("file:///a", {}, read);

    const { result } = await ask(server, "resources/templates/list");

    expect(result.resourceTemplates).toEqual([{ uriTemplate: "file:///{+path}", ...everything }]);
  });

  test("goes through pages by cursors", async () => {
    const server = new MCPServer({ ...info, pageSize: 1 });
    for (const id of ["a", "b"]) server.resource(`x://{${id}}`, {}, read);
    const first = (await ask(server, "resources/templates/list")).result;
    const second = (await ask(server, "resources/templates/list", { cursor: first.nextCursor })).result;

    expect(first.resourceTemplates).toEqual([{ uriTemplate: "x://{a}", name: "x://{a}" }]);
    expect(second.resourceTemplates).toEqual([{ uriTemplate: "x://{b}", name: "x://{b}" }]);
  });
});

describe("what revisions list of resources", () => {
  const { icons: _, ...since2025June } = everything;
  const { audience, priority } = everything.annotations;
  const { title: __, _meta: ___, ...before } = { ...since2025June, annotations: { audience, priority } };

  test.each([
    ["2025-06-18", since2025June],
    ["2025-03-26", before],
    ["2024-11-05", before],
  ])("fits %s", async (version, members) => {
    const server = new MCPServer(info);
    server.resource("x://a", { ...everything, size: 5 }, read);
    server.resource("x://{a}", everything, read);
    const { ask } = createLegacy(version);

    expect((await ask(server, "resources/list")).result.resources).toEqual([{ uri: "x://a", ...members, size: 5 }]);
    expect((await ask(server, "resources/templates/list")).result.resourceTemplates).toEqual([
      { uriTemplate: "x://{a}", ...members },
    ]);
  });

  test("leaves annotations out where none are known", async () => {
    const server = new MCPServer(info);
    server.resource("x://a", { annotations: { lastModified: "2025-01-12T15:00:58Z" } }, read);

    const { result } = await createLegacy("2025-03-26").ask(server, "resources/list");

    expect(result.resources).toEqual([{ uri: "x://a", name: "x://a" }]);
  });
});

describe("how long lists of resources may be kept", () => {
  const server = new MCPServer({
    ...info,
    cache: { resources: { ttlMs: 1 }, templates: { ttlMs: 2, scope: "private" } },
  });
  server.resource("x://a", {}, read);
  server.resource("x://{a}", {}, read);

  test("is an option for each of them", async () => {
    expect((await modern.ask(server, "resources/list")).result).toMatchObject({ ttlMs: 1, cacheScope: "public" });
    expect((await modern.ask(server, "resources/templates/list")).result).toMatchObject({
      ttlMs: 2,
      cacheScope: "private",
    });
  });

  test("is private to callers that are known, and where something is hidden", async () => {
    const guarded = new MCPServer({ ...info });
    guarded.resource("x://a", { visible: () => true }, read);

    expect((await modern.ask(server, "resources/list", {}, { principal: "ann" })).result.cacheScope).toBe("private");
    expect((await modern.ask(guarded, "resources/list")).result.cacheScope).toBe("private");
  });

  test("is not told to legacy clients", async () => {
    const { result } = await createLegacy("2025-11-25").ask(server, "resources/list");

    expect(Object.keys(result)).toEqual(["resources"]);
  });
});

describe("the capability of resources", () => {
  test("is declared once there are some", async () => {
    const server = new MCPServer(info);
    server.resource("x://{a}", {}, read);

    expect((await modern.ask(server, "server/discover")).result.capabilities).toHaveProperty("resources");
    expect((await modern.ask(new MCPServer(info), "server/discover")).result.capabilities).not.toHaveProperty(
      "resources",
    );
  });
});
