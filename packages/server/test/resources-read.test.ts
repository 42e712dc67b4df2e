import { JsonRpcError, MCPServer, type ResourceReturn, type ServerOptions } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { createLegacy, describeEras, legacy, modern } from "./eras.js";

const info = { name: "test", version: "1" };

function serve(returned: () => unknown, options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ ...info, ...options });
  server.resource("x://a", { mimeType: "text/plain" }, returned as () => ResourceReturn);
  return server;
}

describeEras("what a resource's handler returns", ({ ask }) => {
  const read = async (returned: unknown) =>
    ask(
      serve(() => returned),
      "resources/read",
      { uri: "x://a" },
    );
  const head = { uri: "x://a", mimeType: "text/plain" };
  const bytes = new Uint8Array([0, 255, 16, 32]);

  test.each([
    ["text", "hi", [{ ...head, text: "hi" }]],
    ["empty text", "", [{ ...head, text: "" }]],
    ["bytes", bytes.subarray(1), [{ ...head, blob: "/xAg" }]],
    ["a buffer", bytes.buffer, [{ ...head, blob: "AP8QIA==" }]],
    ["a view of a buffer", new DataView(bytes.buffer, 1, 1), [{ ...head, blob: "/w==" }]],
    ["contents", { text: "hi" }, [{ ...head, text: "hi" }]],
    ["contents with bytes", { blob: bytes }, [{ ...head, blob: "AP8QIA==" }]],
    [
      "contents in base64",
      { blob: "AP8=", mimeType: "image/png" },
      [{ uri: "x://a", mimeType: "image/png", blob: "AP8=" }],
    ],
    [
      "several contents",
      [{ text: "1", uri: "x://a/1" }, { text: "2", _meta: { a: 1 } }, "3"],
      [
        { ...head, text: "1", uri: "x://a/1" },
        { ...head, text: "2", _meta: { a: 1 } },
        { ...head, text: "3" },
      ],
    ],
    ["a whole result", { contents: [{ text: "hi" }] }, [{ ...head, text: "hi" }]],
    ["something later", Promise.resolve("hi"), [{ ...head, text: "hi" }]],
    ["members that contents do not have", { text: "hi", extra: 1 }, [{ ...head, text: "hi" }]],
  ])("may be %s", async (_, returned, contents) => {
    expect((await read(returned)).result.contents).toEqual(contents);
  });

  test("may carry a _meta", async () => {
    const { result } = await read({ contents: ["hi"], _meta: { "com.example/a": 1 } });

    expect(result._meta).toMatchObject({ "com.example/a": 1 });
    expect(result.contents).toEqual([{ ...head, text: "hi" }]);
  });

  test.each([
    ["a number", 5],
    ["a boolean", true],
    ["contents without text or bytes", { uri: "x://a" }],
    ["contents whose text is no text", { text: 5 }],
    ["contents whose bytes are none", { blob: [1, 2] }],
    ["contents whose address is no text", { text: "hi", uri: 5 }],
    ["contents whose type is no text", { text: "hi", mimeType: 5 }],
    ["contents whose _meta is no object", { text: "hi", _meta: [] }],
    ["a result whose _meta is no object", { contents: ["hi"], _meta: 5 }],
    ["a list with something else in it", ["hi", null]],
    ["something else later", Promise.resolve(5)],
  ])("must not be %s, which is told to the owner alone", async (_, returned) => {
    const onError = vi.fn();
    const { error } = await ask(
      serve(() => returned, { onError }),
      "resources/read",
      { uri: "x://a" },
    );

    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError), { method: "resources/read", name: "x://a" });
  });

  test("is sent whole when it is long", async () => {
    const text = "ü".repeat(40_000);
    const blob = new Uint8Array(10_000_000).fill(7);
    const { result } = await read([{ text }, { blob }]);

    expect(result.contents[0].text).toBe(text);
    expect(result.contents[1].blob).toBe(Buffer.from(blob).toString("base64"));
  });

  test("is not changed by sending it", async () => {
    const returned = Object.freeze({ contents: Object.freeze([Object.freeze({ text: "hi" })]) });

    expect((await read(returned)).result.contents).toEqual([{ ...head, text: "hi" }]);
    expect(returned).toEqual({ contents: [{ text: "hi" }] });
  });
});

describeEras("a resource that does not exist", ({ ask, version }) => {
  const code = version === modern.version ? -32602 : -32002;

  test.each(["x://nope", "not a uri", "", "toString", "__proto__", "X://a", "x://a/", "x://%61", "🙂"])(
    "is told by the number of the revision, for %j",
    async (uri) => {
      const { error } = await ask(
        serve(() => "hi"),
        "resources/read",
        { uri },
      );

      expect(error).toMatchObject({ code, data: { uri } });
    },
  );

  test.each([undefined, null, [], { contents: [] }, Promise.resolve(null)])(
    "is what its handler says with %j",
    async (returned) => {
      const onError = vi.fn();
      const { error } = await ask(
        serve(() => returned, { onError }),
        "resources/read",
        { uri: "x://a" },
      );

      expect(error).toMatchObject({ code, data: { uri: "x://a" } });
      expect(onError).not.toHaveBeenCalled();
    },
  );

  test.each([5, null, {}, ["x://a"], undefined])("is not one whose address is %j", async (uri) => {
    const { error } = await ask(
      serve(() => "hi"),
      "resources/read",
      { uri },
    );

    expect(error.code).toBe(-32602);
    expect(error).not.toHaveProperty("data");
  });

  test("is one that was disabled, removed, or is hidden from the caller", async () => {
    const server = serve(() => "hi");
    server.resource("x://b", {}, () => "hi").disable();
    server.resource("x://c", {}, () => "hi").remove();
    server.resource("x://d", { visible: ({ principal }) => principal === "ann" }, () => "hi");
    server.resource("y://{d}", { visible: ({ principal }) => principal === "ann" }, () => "hi");

    for (const uri of ["x://b", "x://c", "x://d", "y://1"])
      expect((await ask(server, "resources/read", { uri }, { principal: "bob" })).error).toMatchObject({ code });
    for (const uri of ["x://d", "y://1"])
      expect((await ask(server, "resources/read", { uri }, { principal: "ann" })).result.contents).toHaveLength(1);
  });
});

describeEras("a resource whose handler fails", ({ ask }) => {
  test.each([
    () => {
      throw new Error("password 123");
    },
    async () => {
      throw new Error("password 123");
    },
  ])("tells the caller nothing of it, and the owner everything", async (fail) => {
    const onError = vi.fn();
    const { error } = await ask(serve(fail, { onError }), "resources/read", { uri: "x://a" });

    expect(error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "password 123" }), {
      method: "resources/read",
      name: "x://a",
    });
  });

  test("sends what was thrown to be sent", async () => {
    const onError = vi.fn();
    const fail = () => {
      throw new JsonRpcError(-32123, "locked", { by: "ann" });
    };
    const { error } = await ask(serve(fail, { onError }), "resources/read", { uri: "x://a" });

    expect(error).toEqual({ code: -32123, message: "locked", data: { by: "ann" } });
    expect(onError).not.toHaveBeenCalled();
  });
});

test("never sends the number of older revisions on a modern one", async () => {
  const server = serve(() => {
    throw new JsonRpcError(-32002, "gone", { uri: "x://a" });
  });

  expect((await modern.ask(server, "resources/read", { uri: "x://a" })).error.code).toBe(-32602);
  expect((await legacy.ask(server, "resources/read", { uri: "x://a" })).error.code).toBe(-32002);
});

describeEras("a template", ({ ask, version }) => {
  const read = async (server: MCPServer, uri: string) =>
    (await ask(server, "resources/read", { uri })).result?.contents;

  test("hands its handler what the address has in the places of its variables", async () => {
    const server = new MCPServer(info);
    server.resource("test://template/{id}/data", { mimeType: "application/json" }, ({ uri, params: { id } }) =>
      JSON.stringify({ uri, id }),
    );

    const uri = "test://template/a%20b/data";
    expect(await read(server, uri)).toEqual([
      { uri, mimeType: "application/json", text: JSON.stringify({ uri, id: "a b" }) },
    ]);
  });

  test("hands on nothing that passes for a separator", async () => {
    const server = new MCPServer(info);
    server.resource("file:///{name}", {}, ({ params }) => params.name);

    for (const name of ["..%2F..%2Fetc%2Fpasswd", "%2e%2e", "a%00", "a%5Cb", "a/b", "%zz"])
      expect((await ask(server, "resources/read", { uri: `file:///${name}` })).error).toMatchObject({
        code: version === modern.version ? -32602 : -32002,
      });
  });

  test("comes after registered resources, and after templates registered before it", async () => {
    const server = new MCPServer(info);
    server.resource("x://{a}/1", {}, () => "first");
    server.resource("x://b/{b}", {}, () => "second");
    server.resource("x://b/1/", {}, () => "other");
    const fixed = server.resource("x://b/1", {}, () => "fixed");

    expect(await read(server, "x://b/1")).toMatchObject([{ text: "fixed" }]);
    fixed.remove();
    expect(await read(server, "x://b/1")).toMatchObject([{ text: "first" }]);
    expect(await read(server, "x://b/2")).toMatchObject([{ text: "second" }]);
  });

  test("serves with the handler it was changed to", async () => {
    const server = new MCPServer(info);
    const handle = server.resource("x://{a}", {}, () => "old");
    handle.update({ read: ({ params }) => `new ${params.a}` });

    expect(await read(server, "x://1")).toMatchObject([{ text: "new 1" }]);
  });

  test("gives the handler a context", async () => {
    const server = new MCPServer(info);
    server.resource("x://{a}", {}, (_, ctx) => `${ctx.protocolVersion} ${ctx.principal}`);

    const { result } = await ask(server, "resources/read", { uri: "x://1" }, { principal: "ann" });

    expect(result.contents[0].text).toBe(`${version} ann`);
  });
});

describe("what revisions are sent of a resource", () => {
  test.each([
    ["2025-06-18", { _meta: { a: 1 } }],
    ["2025-03-26", {}],
    ["2024-11-05", {}],
  ])("fits %s", async (version, rest) => {
    const server = serve(() => ({ text: "hi", _meta: { a: 1 } }));
    const { result } = await createLegacy(version).ask(server, "resources/read", { uri: "x://a" });

    expect(result).toEqual({ contents: [{ uri: "x://a", mimeType: "text/plain", text: "hi", ...rest }] });
  });
});

describe("how long what was read may be kept", () => {
  const hint = async (server: MCPServer, uri = "x://a", principal?: string) => {
    const { result } = await modern.ask(server, "resources/read", { uri }, { principal });
    return [result.ttlMs, result.cacheScope];
  };

  test("is an option of the server, and of each resource", async () => {
    const server = serve(() => "hi", { cache: { read: { ttlMs: 5, scope: "private" } } });
    server.resource("x://b", { cache: { ttlMs: 0 } }, () => "hi");
    server.resource("y://{b}", { cache: { scope: "public" } }, () => "hi");

    expect(await hint(server)).toEqual([5, "private"]);
    expect(await hint(server, "x://b")).toEqual([0, "private"]);
    expect(await hint(server, "y://b")).toEqual([5, "public"]);
  });

  test("is private for callers that are known, and for what is not for everybody", async () => {
    const server = serve(() => "hi");
    server.resource("x://b", { visible: () => true }, () => "hi");

    expect(await hint(server)).toEqual([60_000, "public"]);
    expect(await hint(server, "x://a", "ann")).toEqual([60_000, "private"]);
    expect(await hint(server, "x://b")).toEqual([60_000, "private"]);
  });
});

describeEras("a resource that cannot do without an answer", ({ ask, version }) => {
  test("is refused to callers that cannot give it, before its handler runs", async () => {
    const handler = vi.fn(() => "hi");
    const server = new MCPServer(info);
    server.resource("x://a", { asks: ["elicit.form"] }, handler);
    server.resource("y://{a}", { asks: ["sample"] }, handler);
    const code = version === modern.version ? -32021 : -32602;

    for (const uri of ["x://a", "y://1"]) expect((await ask(server, "resources/read", { uri })).error.code).toBe(code);
    expect(handler).not.toHaveBeenCalled();
  });
});

test("a resource can ask the clients of modern revisions", async () => {
  const server = new MCPServer({ ...info, state: { keys: [{ id: "a", key: new Uint8Array(32) }] } });
  server.resource("x://{a}", {}, async ({ params }, ctx) => {
    const answer = await ctx.elicit({ message: "Really?", schema: { type: "object", properties: {} } });
    return `${params.a} ${answer.action}`;
  });
  const meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  const first = (await modern.ask(server, "resources/read", { uri: "x://1", _meta: meta })).result;
  const [key = ""] = Object.keys(first.inputRequests);
  const inputResponses = { [key]: { action: "accept", content: {} } };
  const { result } = await modern.ask(server, "resources/read", {
    uri: "x://1",
    requestState: first.requestState,
    inputResponses,
    _meta: meta,
  });

  expect(first).toMatchObject({ resultType: "input_required" });
  expect(first).not.toHaveProperty("ttlMs");
  expect(result.contents).toEqual([{ uri: "x://1", text: "1 accept" }]);
});
