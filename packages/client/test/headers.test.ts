import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { ECHO_TOOL, serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

function countHeader(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((entry, at) => at % 2 === 0 && entry.toLowerCase() === name).length;
}

describe("configured headers", () => {
  const inputs: [string, ConstructorParameters<typeof Headers>[0]][] = [
    ["an object", { Authorization: "Bearer NEW", "X-Team": "7" }],
    ["a Headers", new Headers({ Authorization: "Bearer NEW", "X-Team": "7" })],
    [
      "pairs",
      [
        ["Authorization", "Bearer NEW"],
        ["X-Team", "7"],
      ],
    ],
    [
      "two spellings, of which the last wins",
      [
        ["AUTHORIZATION", "Bearer OLD"],
        ["authorization", "Bearer NEW"],
        ["x-team", "7"],
      ],
    ],
  ];

  test.each(inputs)("given as %s are on every request, once", async (_, headers) => {
    const fake = await startFake(serveLegacy({ sessions: ["s1"] }));
    const client = openClient({ url: fake.url, headers: headers as Record<string, string> });

    await client.connect();
    await client.close();

    expect(fake.methods().at(-1)).toBe("DELETE");
    for (const request of fake.log) {
      expect(request.headers).toMatchObject({ authorization: "Bearer NEW", "x-team": "7" });
      expect(countHeader(request.rawHeaders, "authorization")).toBe(1);
    }
  });

  test("do not replace those of the protocol", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(serveModern());
    const client = openClient({
      url: fake.url,
      headers: {
        accept: "text/html",
        "Mcp-Method": "x",
        "mcp-param-region": "x",
        "MCP-Protocol-Version": "x",
        Host: "evil",
      },
      onError,
    });

    await client.connect();

    expect(fake.log[0]?.headers).toMatchObject({
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-method": "server/discover",
      "mcp-protocol-version": "2026-07-28",
      host: `127.0.0.1:${fake.port}`,
    });
    expect(fake.log[0]?.headers).not.toHaveProperty("mcp-param-region");
    expect(problems).toHaveLength(5);
  });

  test.each([
    ["a line break in the value", { "X-A": "secret-1\r\nX-Admin: 1" }],
    ["a character beyond Latin-1", { "X-A": "secret-1 🙂" }],
    ["a space in the name", { "X A": "secret-1" }],
    ["a value that is no string", { "X-A": 7 as unknown as string }],
  ])("with %s are refused without showing it", (_, headers) => {
    const construct = (): unknown => openClient({ url: "http://127.0.0.1:1/mcp", headers });

    expect(construct).toThrow(expect.objectContaining({ code: "invalid_options" }));
    expect(construct).not.toThrow(/secret-1/);
  });

  test("named like a built-in member are headers like any other", async () => {
    const fake = await startFake(serveModern());
    const client = openClient({
      url: fake.url,
      headers: JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>,
    });

    await client.connect();

    expect(countHeader(fake.log[0]?.rawHeaders ?? [], "__proto__")).toBe(1);
    expect(countHeader(fake.log[0]?.rawHeaders ?? [], "constructor")).toBe(1);
  });

  test("are completed by the user and password of the address", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url.replace("http://", "http://ann:p%40ss@"));

    await client.connect();

    expect(fake.log[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ann:p@ss").toString("base64")}`);
  });
});

describe("the name header", () => {
  test.each([
    ["get_weather", "get_weather"],
    ["résumé", "=?base64?csOpc3Vtw6k=?="],
    ["🙂", "=?base64?8J+Zgg==?="],
    [" tab\t", "=?base64?IHRhYgk=?="],
    ["=?base64?Zm9v?=", "=?base64?PT9iYXNlNjQ/Wm05dj89?="],
    ["x\r\nX-Admin: 1", "=?base64?eA0KWC1BZG1pbjogMQ==?="],
    ["=?BASE64?Zm9v?=", "=?BASE64?Zm9v?="],
  ])("of tool %j is %s", async (name, expected) => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

    await client.callTool(name);

    expect(fake.log.at(-1)?.headers["mcp-name"]).toBe(expected);
    expect(fake.log.at(-1)?.headers).not.toHaveProperty("x-admin");
  });

  test("of a resource is its address", async () => {
    const fake = await startFake(serveModern({ "resources/read": (reply) => reply.result({ contents: [] }) }));
    const client = openClient(fake.url);

    await client.request("resources/read", { uri: "docs://größe/ß" });

    expect(fake.log.at(-1)?.headers).toMatchObject({
      "mcp-method": "resources/read",
      "mcp-name": "=?base64?ZG9jczovL2dyw7bDn2Uvw58=?=",
    });
  });
});

describe("mirrored arguments", () => {
  const REGION_TOOL = {
    name: "query",
    inputSchema: {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        limit: { type: "integer", "x-mcp-header": "Limit" },
        deep: { type: "object", properties: { dry: { type: "boolean", "x-mcp-header": "Dry" } } },
      },
    },
  };

  test("are sent as headers, encoded, where they have a value", async () => {
    const fake = await startFake(serveModern({}, [REGION_TOOL]));
    const client = openClient(fake.url);

    await client.callTool("query", { region: "größe", limit: 42, deep: { dry: false } });
    await client.callTool("query", { region: null, limit: 0 });

    const [first, second] = fake.log.slice(-2);
    expect(first?.headers).toMatchObject({
      "mcp-param-region": "=?base64?Z3LDtsOfZQ==?=",
      "mcp-param-limit": "42",
      "mcp-param-dry": "false",
    });
    expect(second?.headers).toMatchObject({ "mcp-param-limit": "0" });
    expect(second?.headers).not.toHaveProperty("mcp-param-region");
    expect(second?.headers).not.toHaveProperty("mcp-param-dry");
  });

  test("are learnt before the first call, even without connect()", async () => {
    const fake = await startFake(serveModern({}, [REGION_TOOL]));
    const client = openClient(fake.url);

    await client.callTool("query", { region: "eu" });

    expect(fake.methods()).toEqual(["server/discover", "tools/list", "tools/call"]);
    expect(fake.log.at(-1)?.headers["mcp-param-region"]).toBe("eu");
  });

  test("that the server finds wrong are learnt anew, and the call repeated once", async () => {
    let tools: unknown[] = [{ ...REGION_TOOL, inputSchema: { type: "object" } }];
    const fake = await startFake(
      serveModern({
        "tools/list": (reply) => reply.result({ tools }),
        "tools/call": (reply) => {
          if (reply.request.headers["mcp-param-region"] === undefined)
            reply.error(-32020, "Header mismatch", { status: 400 });
          else reply.result({ content: [{ type: "text", text: "done" }] });
        },
      }),
    );
    const client = openClient(fake.url);
    await client.connect();
    tools = [REGION_TOOL];

    const { text } = await client.callTool("query", { region: "eu" });

    expect(text).toBe("done");
    expect(fake.methods().slice(2)).toEqual(["tools/call", "tools/list", "tools/call"]);
  });

  test("that stay wrong are an error after one more try", async () => {
    const fake = await startFake(
      serveModern({ "tools/call": (reply) => reply.error(-32020, "Header mismatch", { status: 400 }) }, [REGION_TOOL]),
    );
    const client = openClient(fake.url);

    const error = await failureOf(client.callTool("query", { region: "eu" }));

    expect(error).toMatchObject({ name: "JsonRpcError", code: -32020 });
    expect(fake.methods().filter((method) => method === "tools/call")).toHaveLength(2);
  });

  test("with a broken annotation leave that tool out, with one warning that names it", async () => {
    const { problems, onError } = collectProblems();
    const broken = {
      name: "broken",
      inputSchema: { type: "object", properties: { n: { type: "number", "x-mcp-header": "N" } } },
    };
    const fake = await startFake(serveModern({}, [ECHO_TOOL, broken, REGION_TOOL]));
    const client = openClient({ url: fake.url, onError });

    await client.connect();

    expect(client.getToolNames()).toEqual(["echo", "query"]);
    expect(problems).toEqual([expect.objectContaining({ code: "invalid_param_header" })]);
    expect(problems[0]?.message).toContain("broken");
  });

  test("are not sent to a legacy server, which may use any schema", async () => {
    const broken = {
      name: "broken",
      inputSchema: { type: "object", properties: { n: { type: "number", "x-mcp-header": "N" } } },
    };
    const fake = await startFake(
      serveLegacy({ overrides: { "tools/list": (reply) => reply.result({ tools: [broken, REGION_TOOL] }) } }),
    );
    const client = openClient(fake.url);
    await client.connect();

    await client.callTool("query", { region: "eu" });

    expect(client.getToolNames()).toEqual(["broken", "query"]);
    expect(fake.log.at(-1)?.headers).not.toHaveProperty("mcp-param-region");
  });
});
