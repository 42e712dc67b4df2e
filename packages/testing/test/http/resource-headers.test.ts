import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { legacy, modern } from "./fixture.js";

function createServer(): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.resource("docs://größe/ß", { mimeType: "text/plain" }, () => "ü");
  server.resource("x://{id}", {}, ({ params }) => params.id);
  server.resource("x://bytes", {}, () => new Uint8Array(1_000_000).fill(255));
  return server;
}

function read(uri: string, name?: string): Sent {
  return modern("resources/read", { uri }, { headers: name === undefined ? {} : { "mcp-name": name } });
}

describe.each(ADAPTERS)("$name", (adapter) => {
  async function send(request: Sent) {
    const mounted = await adapter.mount(createServer());
    const { status, body } = await mounted.send(request);
    await mounted.close();
    return { status, ...JSON.parse(body) };
  }

  test.each([
    { uri: "docs://größe/ß", name: "=?base64?ZG9jczovL2dyw7bDn2Uvw58=?=", text: "ü" },
    { uri: "x://a%20b", name: "x://a%20b", text: "a b" },
  ])("reads the resource that the name header repeats: $name", async ({ uri, name, text }) => {
    const { status, result } = await send(read(uri, name));

    expect(status).toBe(200);
    expect(result).toMatchObject({ resultType: "complete", contents: [{ uri, text }], ttlMs: 60_000 });
  });

  test.each([
    { title: "is missing", name: undefined },
    { title: "names another", name: "x://b" },
    { title: "is decoded", name: "x://a b" },
    { title: "is normalized", name: "x://A%20b" },
  ])("refuses a read whose name header $title", async ({ name }) => {
    const { status, error } = await send(read("x://a%20b", name));

    expect(status).toBe(400);
    expect(error.code).toBe(-32020);
  });

  test("needs no name header from a legacy client", async () => {
    const { status, result } = await send(legacy("resources/read", { uri: "x://1" }));

    expect(status).toBe(200);
    expect(result).toEqual({ contents: [{ uri: "x://1", text: "1" }] });
  });

  test("tells of a missing resource with status 200 and the number of the revision", async () => {
    const uri = "y://nope";

    expect(await send(read(uri, uri))).toMatchObject({ status: 200, error: { code: -32602, data: { uri } } });
    expect(await send(legacy("resources/read", { uri }))).toMatchObject({
      status: 200,
      error: { code: -32002, data: { uri } },
    });
  });

  test("sends many bytes whole", async () => {
    const { result } = await send(read("x://bytes", "x://bytes"));

    expect(result.contents).toEqual([
      { uri: "x://bytes", blob: Buffer.from(new Uint8Array(1_000_000).fill(255)).toString("base64") },
    ]);
  });
});
