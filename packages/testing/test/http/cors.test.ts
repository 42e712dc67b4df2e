import { createHttpHandler, type HandlerOptions } from "@mortise/http";
import { describe, expect, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { createFixture, legacy, modern, opening, PLAIN_HEADERS } from "./fixture.js";

const PAGE = "http://localhost:5173";
const EVIL = "https://evil.example";

function from(origin: string, request: Sent): Sent {
  return { ...request, headers: { ...request.headers, origin } };
}

const CALL = modern("tools/call", { name: "echo", arguments: {} });

const LIST = legacy("tools/list");

/** A request for each status that can come, and the options that make it come. */
const STATUSES: readonly { status: number; request: Sent; options?: HandlerOptions }[] = [
  { status: 200, request: CALL },
  { status: 200, request: modern("tools/call", { name: "count", arguments: {} }, { meta: { progressToken: 1 } }) },
  { status: 202, request: { headers: PLAIN_HEADERS, body: '{"jsonrpc":"2.0","method":"notifications/x"}' } },
  { status: 400, request: legacy("tools/list", {}, { version: "2099-01-01" }) },
  { status: 400, request: { headers: PLAIN_HEADERS, body: "{" } },
  {
    status: 401,
    request: CALL,
    options: {
      auth: {
        verify: () => ({
          refused: { status: 401, message: "Expected a token", headers: ["WWW-Authenticate", 'Bearer realm="x"'] },
        }),
      },
    },
  },
  {
    status: 403,
    request: CALL,
    options: { auth: { verify: () => ({ refused: { status: 403, message: "Expected a scope" } }) } },
  },
  { status: 404, request: modern("tools/fly") },
  {
    status: 404,
    request: { ...LIST, headers: { ...LIST.headers, "mcp-session-id": "gone" } },
    options: { legacy: { sessions: "memory" } },
  },
  { status: 400, request: LIST, options: { legacy: { sessions: "memory" } } },
  {
    status: 404,
    request: { method: "DELETE", headers: { "mcp-session-id": "gone" } },
    options: { legacy: { sessions: "memory" } },
  },
  { status: 405, request: { method: "GET" } },
  { status: 405, request: { method: "DELETE" } },
  {
    status: 406,
    request: { ...CALL, headers: { ...CALL.headers, accept: "text/html" } },
    options: { requireAccept: "strict" },
  },
  { status: 413, request: CALL, options: { maxMessageBytes: 10 } },
  { status: 415, request: { ...CALL, headers: { ...CALL.headers, "content-type": "text/plain" } } },
  {
    status: 429,
    request: CALL,
    options: {
      auth: { verify: () => ({ refused: { status: 429, message: "Expected fewer", headers: ["Retry-After", "5"] } }) },
    },
  },
  {
    status: 500,
    request: CALL,
    options: {
      auth: {
        verify: () => {
          throw new Error("verifier is down");
        },
      },
    },
  },
];

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each(STATUSES)("lets a page that passed read an answer with $status", async ({ status, request, options }) => {
    const mounted = await adapter.mount(createFixture().server, options);

    const answer = await mounted.send(from(PAGE, request));

    await mounted.close();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(answer.headers.get("access-control-expose-headers")?.split(", ")).toEqual([
      "Mcp-Session-Id",
      "WWW-Authenticate",
      "Retry-After",
      "MCP-Protocol-Version",
    ]);
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("keeps a challenge on the answer it refuses with", async () => {
    const mounted = await adapter.mount(createFixture().server, STATUSES.find(({ status }) => status === 401)?.options);

    const answer = await mounted.send(from(PAGE, CALL));

    await mounted.close();
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="x"');
  });

  test.each([
    EVIL,
    "null",
    "http://localhost.evil.example",
    "http://127.0.0.1.nip.io",
    "https://user@localhost",
    "http://[::2]",
  ])("refuses the origin %s with 403 and runs nothing, whatever the content type", async (origin) => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);
    const simple = { ...CALL, headers: { ...CALL.headers, "content-type": "text/plain", cookie: "a=b" } };

    const answers = [
      await mounted.send(from(origin, CALL)),
      await mounted.send(from(origin, simple)),
      await mounted.send(from(origin, { method: "OPTIONS" })),
    ];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(answers.some(({ headers }) => headers.has("access-control-allow-origin"))).toBe(false);
    expect(JSON.parse(answers[0]?.body ?? "").error.message).toContain("allowedOrigins");
    expect(ran.count).toBe(0);
  });

  test.each([
    "http://localhost",
    "https://LOCALHOST:8443",
    "http://127.0.0.1:1",
    "http://127.8.9.10",
    "http://[::1]:3000",
  ])("lets pages of this machine in: %s", async (origin) => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(from(origin, CALL));

    await mounted.close();
    expect(answer.status).toBe(200);
  });

  test("answers a preflight with 204, the protocol's headers and the parameter headers asked for", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send({
      method: "OPTIONS",
      headers: {
        origin: PAGE,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,mcp-param-region,x-admin,mcp-param-b\u00e9d,mcp-param-",
      },
    });

    await mounted.close();
    const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase().split(", ") ?? [];
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(answer.headers.get("vary")?.split(", ").sort()).toEqual(["Access-Control-Request-Headers", "Origin"]);
    for (const name of [
      "content-type",
      "accept",
      "authorization",
      "last-event-id",
      "mcp-session-id",
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
    ]) {
      expect(allowed).toContain(name);
    }
    expect(allowed.filter((name) => name.startsWith("mcp-param"))).toEqual(["mcp-param-region"]);
    expect(allowed).not.toContain("x-admin");
  });

  test.each<{ options: HandlerOptions; methods: string }>([
    { options: {}, methods: "POST, OPTIONS" },
    { options: { legacy: { sessions: "memory" } }, methods: "POST, DELETE, OPTIONS" },
    { options: { legacy: { getStream: true, sessions: "memory" } }, methods: "POST, GET, DELETE, OPTIONS" },
  ])("names the methods $methods where they are served", async ({ options, methods }) => {
    const mounted = await adapter.mount(createFixture().server, options);

    const preflight = await mounted.send(from(PAGE, { method: "OPTIONS" }));
    const plain = await mounted.send({ method: "OPTIONS" });
    const refused = await mounted.send(from(PAGE, { method: "PUT" }));

    await mounted.close();
    expect(preflight.headers.get("access-control-allow-methods")).toBe(methods);
    expect([plain.headers.get("allow"), refused.headers.get("allow")]).toEqual([methods, methods]);
  });

  test("answers a preflight before anybody is asked who they are", async () => {
    let asked = 0;
    const verify = () => {
      asked += 1;
      return { refused: { status: 401, message: "Expected a token" } } as const;
    };
    const mounted = await adapter.mount(createFixture().server, { auth: { verify } });

    const answer = await mounted.send(from(PAGE, { method: "OPTIONS" }));

    await mounted.close();
    expect([answer.status, asked]).toEqual([204, 0]);
  });

  test("allows only the parameter headers that tools declare where the option says so", async () => {
    const { server } = createFixture();
    const region = { type: "string", "x-mcp-header": "Region" };
    server.tool("near", { input: { type: "object", properties: { region } } }, () => "near");
    const mounted = await adapter.mount(server, { cors: { paramHeaders: "declared" } });

    const answer = await mounted.send({
      method: "OPTIONS",
      headers: { origin: PAGE, "access-control-request-headers": "mcp-param-region,mcp-param-other" },
    });

    await mounted.close();
    const allowed = answer.headers.get("access-control-allow-headers")?.split(", ") ?? [];
    expect(allowed.filter((name) => name.startsWith("mcp-param"))).toEqual(["mcp-param-region"]);
  });

  test("answers OPTIONS without an origin with 204", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send({ method: "OPTIONS" });

    await mounted.close();
    expect(answer.status).toBe(204);
  });

  test("leaves everything to the program with cors: false", async () => {
    const mounted = await adapter.mount(createFixture().server, { cors: false });

    const answers = [await mounted.send(from(PAGE, { method: "OPTIONS" })), await mounted.send(from(PAGE, CALL))];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([405, 200]);
    expect(answers[0]?.headers.get("allow")).toBe("POST");
    expect(answers.some(({ headers }) => headers.has("access-control-allow-origin"))).toBe(false);
  });

  test("sends a literal star and no credentials where every origin may call", async () => {
    const mounted = await adapter.mount(createFixture().server, { allowedOrigins: "*" });

    const answer = await mounted.send(from(EVIL, CALL));

    await mounted.close();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  });

  test("lets exactly the listed origins in", async () => {
    const options = { allowedOrigins: ["https://app.example.com", "https://other.example:443/", "loopback"] };
    const mounted = await adapter.mount(createFixture().server, options);

    const origins = [
      "https://app.example.com",
      "https://other.example",
      PAGE,
      "http://app.example.com",
      "https://app.example.com:8443",
      "https://app.example.com.evil.example",
    ];
    const answers = await Promise.all(origins.map((origin) => mounted.send(from(origin, CALL))));

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 403, 403, 403]);
  });

  test("lets a page in with an empty list only when it sends no origin", async () => {
    const mounted = await adapter.mount(createFixture().server, { allowedOrigins: [] });

    const answers = [await mounted.send(CALL), await mounted.send(from(PAGE, CALL))];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 403]);
  });

  test("allows credentials and more headers where the options say so", async () => {
    const mounted = await adapter.mount(createFixture().server, {
      allowedOrigins: [EVIL],
      cors: { credentials: true, allowHeaders: ["X-Trace"], exposeHeaders: ["X-Cost"], maxAge: 5 },
    });

    const preflight = await mounted.send(from(EVIL, { method: "OPTIONS" }));
    const answer = await mounted.send(from(EVIL, CALL));

    await mounted.close();
    expect(preflight.headers.get("access-control-allow-headers")).toContain("X-Trace");
    expect(preflight.headers.get("access-control-max-age")).toBe("5");
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Cost");
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
  });
});

test("lets a page that passed read the stream of its session", async () => {
  const handler = createHttpHandler(createFixture().server, { legacy: { sessions: "memory", getStream: true } });
  const ask = (method: string, headers: Record<string, string>, body?: string) =>
    handler(
      new Request("http://127.0.0.1:3000/mcp", { method, headers: { ...headers, origin: PAGE }, body: body ?? null }),
    );
  const { headers, body } = legacy("initialize", opening("2025-11-25"), { version: undefined });
  const session = (await ask("POST", headers, body)).headers.get("mcp-session-id") ?? "";

  const stream = await ask("GET", { accept: "text/event-stream", "mcp-session-id": session });
  await stream.body?.cancel();

  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(stream.headers.get("access-control-allow-origin")).toBe(PAGE);
  expect(stream.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
});
