import { describe, expect, test } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { initializeResult, serveLegacy } from "./legacy-server.js";
import { DISCOVERED, serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

describe("what the first answer shows", () => {
  const legacy: [string, (reply: Reply) => void][] = [
    ["400 with a text", (reply) => reply.status(400, "no session")],
    ["400 with an empty body", (reply) => reply.status(400)],
    ["404 with an HTML page", (reply) => reply.status(404, "<html>")],
    ["405", (reply) => reply.status(405)],
    ["400 with another JSON-RPC error", (reply) => reply.error(-32000, "Bad Request", { status: 400 })],
    ["200 with method not found", (reply) => reply.error(-32601, "Method not found")],
    ["200 with a result that is no discover result", (reply) => reply.result({})],
    ["200 with something else than JSON", (reply) => reply.status(200, "hello", { "content-type": "text/html" })],
    ["202 with nothing", (reply) => reply.status(202)],
    ["406", (reply) => reply.status(406, "Not Acceptable")],
  ];

  test.each(legacy)("%s means legacy", async (_, refuse) => {
    const fake = await startFake(serveLegacy({ refuse }));
    const client = openClient(fake.url);

    const server = await client.connect();

    expect(server).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25", instructions: "Be old" });
    expect(fake.methods()).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/list"]);
  });

  const refused: [string, number, object, boolean][] = [
    ["a header mismatch", -32020, {}, false],
    ["a header mismatch without an id", -32020, {}, true],
    ["a missing capability", -32021, { requiredCapabilities: { elicitation: {} } }, false],
    ["a missing capability without an id", -32021, { requiredCapabilities: { elicitation: {} } }, true],
  ];

  test.each(refused)("400 with %s means modern, and reaches the caller", async (_, code, data, withoutId) => {
    const fake = await startFake((reply) => reply.error(code, "no", { status: 400, data, withoutId }));
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ name: "JsonRpcError", code, data });
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  test("is read whatever the parameters of its content type are", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    const error = { code: -32020, message: "no" };
    const fake = await startFake((reply) => reply.json({ jsonrpc: "2.0", error }, 400, headers));
    const client = openClient(fake.url);

    expect(await failureOf(client.connect())).toMatchObject({ name: "JsonRpcError", code: -32020 });
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  test.each([false, true])(
    "404 with method not found means modern, and reaches the caller (without an id: %s)",
    async (withoutId) => {
      const fake = await startFake((reply) => reply.error(-32601, "Method not found", { status: 404, withoutId }));
      const client = openClient(fake.url);

      const error = await failureOf(client.connect());

      expect(error).toMatchObject({ name: "JsonRpcError", code: -32601 });
      expect(fake.methods()).toEqual(["server/discover"]);
    },
  );

  test.each([false, true])(
    "an unsupported version is followed by one that the server lists (without an id: %s)",
    async (withoutId) => {
      let asked = 0;
      const fake = await startFake(
        serveModern({
          "server/discover": (reply) => {
            asked += 1;
            if (asked === 1) reply.error(-32022, "no", { status: 400, data: { supported: ["2026-07-28"] }, withoutId });
            else reply.result(DISCOVERED);
          },
        }),
      );
      const client = openClient(fake.url);

      const server = await client.connect();

      expect(server.era).toBe("modern");
      expect(fake.log[1]?.headers["mcp-protocol-version"]).toBe("2026-07-28");
      expect(fake.methods()).toEqual(["server/discover", "server/discover", "tools/list"]);
    },
  );

  test("an unsupported version that lists legacy revisions only is followed by the handshake", async () => {
    const fake = await startFake(
      serveLegacy({
        refuse: (reply) => reply.error(-32022, "no", { status: 400, data: { supported: ["2025-06-18"] } }),
      }),
    );
    const client = openClient(fake.url);

    const server = await client.connect();

    expect(server.era).toBe("legacy");
  });

  test("an unsupported version that lists nothing known is an error naming both sides", async () => {
    const fake = await startFake((reply) =>
      reply.error(-32022, "no", { status: 400, data: { supported: ["2031-01-01"] } }),
    );
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "unsupported_version" });
    expect(error.message).toContain("2026-07-28");
    expect(error.message).toContain("2031-01-01");
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  const noEvidence: [number, string][] = [
    [401, "unauthorized"],
    [403, "unauthorized"],
    [408, "http_status"],
    [429, "http_status"],
    [500, "http_status"],
    [503, "http_status"],
  ];

  test.each(noEvidence)("HTTP %i shows nothing, fails, and is asked again next time", async (status, code) => {
    let well = false;
    const modern = serveModern();
    const fake = await startFake((reply) =>
      well ? modern(reply) : reply.status(status, "later", { "retry-after": "3" }),
    );
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());
    well = true;
    const server = await client.connect();

    expect(error).toMatchObject({ code, cause: { status, body: "later", retryAfter: "3" } });
    expect(server.era).toBe("modern");
    expect(fake.methods()).toEqual(["server/discover", "server/discover", "tools/list"]);
  });

  test("a network failure shows nothing", async () => {
    const fake = await startFake((reply) => void reply.response.socket?.destroy());
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed" });
    expect(client.verdict).toBeUndefined();
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  test("a connection that is refused is reported with its cause", async () => {
    const client = openClient("http://127.0.0.1:9/mcp");

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed", cause: { code: "ECONNREFUSED" } });
  });

  test("silence shows nothing over HTTP", async () => {
    const fake = await startFake(() => undefined);
    const client = openClient({ url: fake.url, timeout: 100, probeTimeout: 20 });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 100 });
    expect(fake.methods()).toEqual(["server/discover"]);
  });
});

describe("a refused handshake", () => {
  test.each([400, 404, 405])("with HTTP %i is an error that quotes both bodies", async (status) => {
    const fake = await startFake((reply) => {
      if (reply.request.message.method === "server/discover")
        reply.error(-32602, "missing the envelope", { status: 400 });
      else reply.status(status, "speak 2024 to me");
    });
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "initialize_refused", cause: { status } });
    expect(error.message).toContain("missing the envelope");
    expect(error.message).toContain("speak 2024 to me");
  });

  test("of a server without one keeps what the server said first", async () => {
    const fake = await startFake((reply) => {
      if (reply.request.message.method === "server/discover")
        reply.error(-32602, "_meta is missing", { status: 400, withoutId: true });
      else reply.error(-32601, "Method not found", { status: 404, withoutId: true });
    });

    const error = await failureOf(openClient(fake.url).connect());

    expect(error).toMatchObject({ code: "initialize_refused" });
    expect(error.message).toContain("_meta is missing");
    expect(error.message).toContain("Method not found");
  });

  test("with a text that lists versions quotes it", async () => {
    const fake = await startFake((reply) => reply.status(400, "Supported versions: 2024-10-07"));

    const error = await failureOf(openClient(fake.url).connect());

    expect(error.message).toContain("Supported versions: 2024-10-07");
    expect(fake.methods().filter((method) => method === "initialize").length).toBeLessThanOrEqual(2);
  });

  test("with a JSON-RPC error keeps that error as its cause", async () => {
    const fake = await startFake((reply) => reply.error(-32000, "not today"));
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "initialize_refused", cause: { name: "JsonRpcError", code: -32000 } });
  });
});

describe("a chosen era", () => {
  test('"legacy" begins with the handshake', async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.connect();

    expect(fake.methods()).toEqual(["initialize", "notifications/initialized", "tools/list"]);
  });

  test('"modern" does not fall back', async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient({ url: fake.url, era: "modern" });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "not_modern" });
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  test("pinned to a legacy revision offers exactly that one", async () => {
    const fake = await startFake(serveLegacy({ version: "2025-06-18" }));
    const client = openClient({ url: fake.url, era: { pin: "2025-06-18" } });

    const server = await client.connect();

    expect(server.protocolVersion).toBe("2025-06-18");
    expect(fake.log[0]?.message.params?.protocolVersion).toBe("2025-06-18");
  });

  test("pinned to a legacy revision accepts no other", async () => {
    const fake = await startFake(serveLegacy({ version: "2025-03-26" }));
    const client = openClient({ url: fake.url, era: { pin: "2025-06-18" } });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "unsupported_version" });
  });

  test("pinned to an unknown revision is refused", async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient({ url: fake.url, era: { pin: "2031-01-01" } });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "invalid_options" });
    expect(fake.log).toEqual([]);
  });
});

describe("the verdict", () => {
  test("is kept by the client and spares the question next time", async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient(fake.url);

    await client.connect();
    await client.close();
    await client.connect();

    expect(fake.methods().filter((method) => method === "server/discover")).toHaveLength(1);
  });

  test("can be handed to another client", async () => {
    const fake = await startFake(serveLegacy());
    const first = openClient(fake.url);
    await first.connect();

    const second = openClient({ url: fake.url, prior: first.verdict });
    await second.connect();

    expect(first.verdict).toEqual({ era: "legacy", protocolVersion: "2025-11-25", minimalHeaders: false });
    expect(fake.methods().slice(4)).toEqual(["initialize", "notifications/initialized", "tools/list"]);
  });

  test("that does not hold any more is found out anew", async () => {
    const fake = await startFake(serveModern());
    const prior = { era: "legacy", protocolVersion: "2025-11-25", minimalHeaders: false } as const;
    const client = openClient({ url: fake.url, prior });

    const server = await client.connect();

    expect(server.era).toBe("modern");
    expect(fake.methods()).toEqual(["initialize", "server/discover", "tools/list"]);
  });

  test("of a modern server that has become a legacy one is found out anew", async () => {
    const fake = await startFake(serveLegacy());
    const prior = { era: "modern", protocolVersion: "2026-07-28", minimalHeaders: false } as const;
    const client = openClient({ url: fake.url, prior });

    const { text } = await client.callTool("echo", { text: "hi" });

    expect(text).toBe("hi");
    expect(client.verdict).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
  });
});

describe("version negotiation of the handshake", () => {
  test.each(["2025-06-18", "2025-03-26", "2024-11-05"])(
    "accepts %s, and sends it from then on if that revision has the header",
    async (version) => {
      const fake = await startFake(serveLegacy({ version }));
      const client = openClient({ url: fake.url, era: "legacy" });

      const server = await client.connect();

      const expected = version === "2025-06-18" ? version : undefined;
      expect(server.protocolVersion).toBe(version);
      expect(fake.log[0]?.headers["mcp-protocol-version"]).toBeUndefined();
      expect(fake.log.slice(1).map(({ headers }) => headers["mcp-protocol-version"])).toEqual([expected, expected]);
    },
  );

  test.each([["2099-01-01"], [""], [20250618], [null]])("refuses %j, naming both versions", async (version) => {
    const fake = await startFake(
      serveLegacy({
        overrides: { initialize: (reply) => reply.result({ ...initializeResult(), protocolVersion: version }) },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "unsupported_version" });
    expect(error.message).toContain("2025-11-25");
    expect(error.message).toContain(JSON.stringify(version));
    expect(fake.methods()).toEqual(["initialize"]);
  });

  test("offers a listed version when the newest is refused, once", async () => {
    const fake = await startFake(
      serveLegacy({
        version: "2025-06-18",
        overrides: {
          initialize: (reply) => {
            const offered = String(reply.request.message.params?.protocolVersion);
            if (offered === "2025-06-18") reply.result(initializeResult(offered));
            else
              reply.error(-32602, "Unsupported protocol version", {
                data: { supported: ["2025-06-18"], requested: offered },
              });
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const server = await client.connect();

    expect(server.protocolVersion).toBe("2025-06-18");
    expect(fake.methods().filter((method) => method === "initialize")).toHaveLength(2);
  });

  test("gives up after the second refusal", async () => {
    const fake = await startFake(
      serveLegacy({
        overrides: { initialize: (reply) => reply.error(-32602, "no", { data: { supported: ["2025-06-18"] } }) },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "initialize_refused" });
    expect(fake.methods()).toEqual(["initialize", "initialize"]);
  });
});
