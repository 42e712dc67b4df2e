import { MCPServer, type ResourceDefinition } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { describeEras } from "./eras.js";

const info = { name: "test", version: "1" };
const read = () => "x";

describe("registering a resource", () => {
  test.each(["", "a", "/a", "a b", "file:///a b", "x://a}", "x://a\n", "1x://a", "x://\ud800", 5])(
    "refuses the address %j",
    (uri) => {
      expect(() => new MCPServer(info).resource(uri as string, {}, read)).toThrow(
        expect.objectContaining({ code: "invalid_options" }),
      );
    },
  );

  test.each(["x://{", "x://{}", "x://{a", "x://{a}/{a}", "x://{a-b}", "/{a}", "a b{c}", `x://${"{a}".repeat(40)}`])(
    "refuses the template %j",
    (template) => {
      expect(() => new MCPServer(info).resource(template, {}, read)).toThrow(
        expect.objectContaining({ code: "invalid_options" }),
      );
    },
  );

  test.each(["{+url}", "file:///{+path}", "x-y.z+1:{a}", "{scheme}://a", "docs://größe/{a}", "x{a}:b"])(
    "takes the template %j",
    (template) => {
      expect(() => new MCPServer(info).resource(template, {}, read)).not.toThrow();
    },
  );

  test.each(["urn:isbn:1", "mailto:a@b.c", "docs://größe/ß", "x:"])("takes the address %j", (uri) => {
    expect(() => new MCPServer(info).resource(uri, {}, read)).not.toThrow();
  });

  test.each([
    { name: 5 },
    { title: 5 },
    { description: 5 },
    { mimeType: 5 },
    { mimetype: "text/plain" },
    { size: -1 },
    { size: 1.5 },
    { size: "5" },
    { icons: [{}] },
    { annotations: { audience: ["everybody"] } },
    { annotations: { audience: "user" } },
    { annotations: { priority: 2 } },
    { annotations: { priority: "high" } },
    { annotations: { lastModified: new Date(0) } },
    { annotations: [] },
    { annotations: "user" },
    { annotations: null },
    { cache: 60_000 },
    { _meta: [] },
    { cache: { ttlMs: -1 } },
    { cache: { scope: "shared" } },
    { asks: ["everything"] },
    { visible: true },
    { complete: { a: () => [] } },
  ])("refuses the definition %j", (definition) => {
    expect(() => new MCPServer(info).resource("x://a", definition as ResourceDefinition<"x://a">, read)).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });

  test("refuses a template with a size, and completions for variables that it does not have", () => {
    const server = new MCPServer(info);
    const invalid = expect.objectContaining({ code: "invalid_options" });

    expect(() => server.resource("x://{a}", { size: 1 }, read)).toThrow(invalid);
    expect(() => server.resource("x://{a}", { complete: { b: () => [] } } as object, read)).toThrow(invalid);
    expect(() => server.resource("x://{a}", { complete: { a: () => [] } }, read)).not.toThrow();
  });

  test("refuses what is no handler or no definition", () => {
    const server = new MCPServer(info);
    const invalid = expect.objectContaining({ code: "invalid_options" });

    expect(() => server.resource("x://a", {}, "x" as never)).toThrow(invalid);
    expect(() => server.resource("x://a", undefined as never, read)).toThrow(invalid);
  });

  test("refuses an address that is taken, but lets a template and a resource share their beginning", () => {
    const server = new MCPServer(info);
    server.resource("x://a", {}, read);
    server.resource("x://{a}", {}, read);

    expect(() => server.resource("x://a", {}, read)).toThrow(expect.objectContaining({ code: "duplicate_name" }));
    expect(() => server.resource("x://{a}", {}, read)).toThrow(expect.objectContaining({ code: "duplicate_name" }));
  });
});

describeEras("resources of the constructor", ({ ask }) => {
  test("are served like others", async () => {
    const server = new MCPServer({
      ...info,
      resources: [
        { uri: "x://a", title: "A", mimeType: "text/plain", read: () => "fixed" },
        { uriTemplate: "x://b/{id}", title: "B", read: ({ params }) => String(params.id) },
      ],
    });

    expect((await ask(server, "resources/list")).result.resources).toEqual([
      { uri: "x://a", name: "x://a", title: "A", mimeType: "text/plain" },
    ]);
    expect((await ask(server, "resources/templates/list")).result.resourceTemplates).toEqual([
      { uriTemplate: "x://b/{id}", name: "x://b/{id}", title: "B" },
    ]);
    expect((await ask(server, "resources/read", { uri: "x://b/7" })).result.contents).toEqual([
      { uri: "x://b/7", text: "7" },
    ]);
  });

  test.each([
    { read },
    { uri: "x://a" },
    { uri: "x://a", handler: read },
    { uri: "x://{a}", read },
    { uriTemplate: "x://a", read },
    { uri: "x://a", uriTemplate: "x://{a}", read },
    5,
  ])("are refused as %j", (entry) => {
    expect(() => new MCPServer({ ...info, resources: [entry as never] })).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });

  test("are refused when they are no array", () => {
    expect(() => new MCPServer({ ...info, resources: {} as never })).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });
});
