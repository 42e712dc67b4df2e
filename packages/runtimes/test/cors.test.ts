import type { Verifier, VerifyRequest } from "@mortise/http";
import { createNodeHttpHandler, type NodeHandlerOptions } from "@mortise/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ForeignServer, OLDEST_RULES, startForeign } from "../src/foreign-server.js";
import { findClosedPort } from "../src/listening.js";
import type { Step, Visit } from "../src/programs/page.js";
import { type RunningBrowser, startBrowser } from "../src/runtimes/chromium.js";
import { createSmokeServer } from "../src/smoke-server.js";

const ANY_HEADER =
  "Content-Type, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID";
const GREET = [
  { do: "connect" },
  { do: "call", tool: "greet", args: { name: "Ada" } },
] as const satisfies readonly Step[];
const REGION = { do: "call", tool: "region", args: { region: "eu" } } as const;
const CHALLENGE = ["WWW-Authenticate", 'Bearer scope="mcp"', "Retry-After", "7"];
const GREETED = { value: '{"message":"Hello, Ada!"}' };

const MODERN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "no/such" };
const UNKNOWN = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "no/such",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "page", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});
const STRICT = { cors: "auto", requireAccept: "strict", maxBodyBytes: 1_000 } as const;

let browser: RunningBrowser;

beforeAll(async () => {
  browser = await startBrowser();
}, 30_000);
afterAll(async () => {
  await browser.stop();
});

/** A handler that leaves CORS to what stands before it. */
function createHandler(options: NodeHandlerOptions = {}): ReturnType<typeof createNodeHttpHandler> {
  return createNodeHttpHandler(createSmokeServer(), {
    cors: false,
    allowedOrigins: "*",
    onWarning: () => undefined,
    ...options,
  });
}

function createLegacy(newest: string): ReturnType<typeof createNodeHttpHandler> {
  return createHandler({ protocolVersions: [newest], legacy: { sessions: "memory" } });
}

async function visit(
  server: Pick<ForeignServer, "url">,
  steps: readonly Step[] = GREET,
  host?: string,
): Promise<Visit> {
  const page = await browser.openPage(host);
  return page.call("visit", { url: server.url, probeTimeout: 1_000 }, steps);
}

/** Refuses with the status that a request names in place of a token. */
function verify(request: VerifyRequest): ReturnType<Verifier["verify"]> {
  const token = request.header("authorization") ?? "200";
  if (token === "fail") throw new Error("the check broke");
  if (token === "200") return { principal: "anybody" };
  return {
    refused: { status: Number(token) as 401 | 403 | 429, message: "no", headers: token === "429" ? [] : CHALLENGE },
  };
}

/** The error of the first step, which is the only one of these visits. */
function errorOf({ outcomes }: Visit): { code: unknown; message: string; cause: unknown } {
  const error = outcomes[0]?.error;
  if (error === undefined) throw new TypeError("Expected the first step to fail");
  return error;
}

describe("with a server of Mortise", () => {
  test("a page needs one preflight for all its requests", async () => {
    const server = await startForeign("own", createHandler({ cors: "auto", allowedOrigins: "loopback" }));

    const { outcomes, verdict } = await visit(server, [...GREET, ...GREET.slice(1)]);

    expect(outcomes.slice(1)).toEqual([GREETED, GREETED]);
    expect(verdict).toMatchObject({ era: "modern", minimalHeaders: false });
    expect(server.preflights()).toHaveLength(1);
  });

  test("a page mirrors an argument with one preflight more", async () => {
    const server = await startForeign("own", createHandler({ cors: "auto" }));

    const { outcomes } = await visit(server, [{ do: "connect" }, REGION, REGION]);

    expect(outcomes.slice(1)).toEqual([{ value: "eu" }, { value: "eu" }]);
    expect(server.preflights()).toHaveLength(2);
    expect(server.preflights()[1]).toContain("mcp-param-region");
  });

  test.each([
    [400, { method: "POST", body: "{" }],
    [401, { method: "POST", headers: { authorization: "401" } }],
    [403, { method: "POST", headers: { authorization: "403" } }],
    [429, { method: "POST", headers: { authorization: "429" } }],
    [500, { method: "POST", headers: { authorization: "fail" } }],
    [404, { method: "POST", body: UNKNOWN, headers: MODERN }],
    [405, { method: "GET" }],
    [406, { method: "POST", body: "{}", headers: { accept: "text/plain" } }],
    [413, { method: "POST", body: "1".repeat(2_000) }],
    [415, { method: "POST", body: "{}", headers: { "content-type": "text/plain" } }],
  ] as const)("a page reads the status %i and what goes with it", async (status, init) => {
    const server = await startForeign("own", createHandler({ ...STRICT, auth: { verify } }));
    const { page } = await browser.openPage();

    const read = await page.evaluate(
      async ([url, given]) => {
        const headers = { "content-type": "application/json", ...("headers" in given ? given.headers : {}) };
        const answer = await fetch(url, { ...given, headers });
        return { status: answer.status, challenge: answer.headers.get("www-authenticate") };
      },
      [server.url, init] as const,
    );

    expect(read).toEqual({ status, challenge: status === 401 || status === 403 ? CHALLENGE[1] : null });
  });

  test("a page keeps its session, and ends it with DELETE", async () => {
    const server = await startForeign(
      "own",
      createHandler({ cors: "auto", protocolVersions: ["2025-11-25"], legacy: { sessions: "memory" } }),
    );

    const { outcomes, verdict } = await visit(server);

    expect(outcomes[1]).toEqual(GREETED);
    expect(verdict).toMatchObject({ era: "legacy", minimalHeaders: false });
    expect(server.seen.at(-1)).toMatchObject({ method: "DELETE" });
  });

  test("a page of another site is kept out, and its author told why", async () => {
    const server = await startForeign("own", createHandler({ cors: "auto", allowedOrigins: "loopback" }));

    const error = errorOf(await visit(server, GREET, "evil.example"));

    expect(error.code).toBe("connection_failed");
    expect(error.message).toContain("Access-Control-Allow-Origin");
    expect(error.message).toContain("http://evil.example");
    expect(server.seen.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("a page of another site that is on the list calls", async () => {
    const server = await startForeign(
      "own",
      createHandler({ cors: "auto", allowedOrigins: (origin) => origin.startsWith("http://app.example:") }),
    );

    const { outcomes } = await visit(server, GREET, "app.example");

    expect(outcomes[1]).toEqual(GREETED);
  });
});

describe("with a server that lets only the oldest headers pass", () => {
  test("a page goes on with the handshake and these headers, after two preflights", async () => {
    const server = await startForeign(OLDEST_RULES, createLegacy("2024-11-05"));

    const { outcomes, verdict, problems } = await visit(server);

    expect(outcomes[1]).toEqual(GREETED);
    expect(verdict).toEqual({ era: "legacy", protocolVersion: "2024-11-05", minimalHeaders: true });
    expect(problems).toEqual([]);
    // The last is for the DELETE at the end, whose method is not on the list.
    expect(server.preflights()).toEqual([expect.stringContaining("mcp-method"), "content-type", "mcp-session-id"]);
  });

  test("a page finds out in two preflights more that the version does not pass either", async () => {
    const server = await startForeign(OLDEST_RULES, createLegacy("2025-06-18"));

    const { outcomes, verdict } = await visit(server);

    expect(outcomes[1]).toEqual(GREETED);
    expect(verdict).toEqual({ era: "legacy", protocolVersion: "2025-06-18", minimalHeaders: true });
    expect(server.preflights()).toEqual([
      expect.stringContaining("mcp-method"),
      "content-type",
      expect.stringContaining("mcp-protocol-version"),
      // A browser forgets what it knew of a server whose preflight failed.
      "content-type,mcp-session-id",
      "mcp-session-id",
    ]);
    for (const { headers } of server.seen) expect(headers).not.toHaveProperty("mcp-protocol-version");
  });

  test("later connections of a client ask for nothing else", async () => {
    const server = await startForeign(OLDEST_RULES, createLegacy("2025-06-18"));

    const { outcomes } = await visit(server, [...GREET, { do: "close" }, ...GREET]);

    expect(outcomes.at(-1)).toEqual(GREETED);
    expect(server.preflights().filter((asked) => /mcp-(method|protocol)/.test(asked))).toHaveLength(2);
  });

  test("later clients that are told the verdict ask for nothing else", async () => {
    const server = await startForeign(OLDEST_RULES, createLegacy("2025-06-18"));
    const { verdict: prior } = await visit(server);
    const before = server.preflights().length;
    const page = await browser.openPage();

    const { outcomes } = await page.call("visit", { url: server.url, prior }, GREET);

    expect(outcomes[1]).toEqual(GREETED);
    expect(server.preflights().slice(before)).toEqual(["content-type", "mcp-session-id"]);
  });

  test("a client that is told to speak legacy finds out about the version, too", async () => {
    const server = await startForeign(OLDEST_RULES, createLegacy("2025-11-25"));
    const page = await browser.openPage();

    const { outcomes, verdict } = await page.call("visit", { url: server.url, era: "legacy" }, GREET);

    expect(outcomes[1]).toEqual(GREETED);
    expect(verdict).toMatchObject({ era: "legacy", minimalHeaders: true });
  });

  test("a client that is told to speak modern says what blocks it", async () => {
    const server = await startForeign(OLDEST_RULES, createHandler());
    const page = await browser.openPage();

    const error = errorOf(await page.call("visit", { url: server.url, era: "modern" }, GREET));

    expect(error.message).toContain("Access-Control-Allow-Headers");
  });
});

describe("with a server that lets the version pass and nothing modern", () => {
  test("a page keeps sending the version", async () => {
    const headers = `${OLDEST_RULES.headers}, MCP-Protocol-Version`;
    const server = await startForeign({ ...OLDEST_RULES, headers }, createLegacy("2025-11-25"));

    const { outcomes, verdict } = await visit(server);

    expect(outcomes[1]).toEqual(GREETED);
    expect(verdict).toMatchObject({ era: "legacy", minimalHeaders: false });
    expect(server.seen.some((request) => request.headers["mcp-protocol-version"] === "2025-11-25")).toBe(true);
  });
});

describe("with a server that does not do what pages need", () => {
  test("no CORS at all is named as what keeps the page away", async () => {
    const server = await startForeign({}, createHandler());

    const error = errorOf(await visit(server));

    expect(error.code).toBe("connection_failed");
    expect(error.message).toContain("Access-Control-Allow-Origin");
  });

  test("a refusal without CORS headers is named as something that looks the same", async () => {
    const rules = { origin: "*", headers: ANY_HEADER, preflightAlone: true };
    const server = await startForeign(rules, (_, response) => response.writeHead(401).end());

    const error = errorOf(await visit(server));

    expect(error.code).toBe("connection_failed");
    expect(error.message).toContain("401");
    expect(error.message).toContain("Access-Control-Allow-Origin");
  });

  test("a challenge that is not shown leaves the status", async () => {
    const rules = { origin: "*", headers: ANY_HEADER };
    const server = await startForeign(rules, (_, response) =>
      response.writeHead(401, { "www-authenticate": "Bearer" }).end(),
    );

    const error = errorOf(await visit(server));

    expect(error).toMatchObject({ code: "unauthorized", cause: { status: 401 } });
    expect(error.cause).not.toMatchObject({ challenge: "Bearer" });
  });

  test("a session that is not shown is named as what is missing", async () => {
    const rules = { origin: "*", headers: ANY_HEADER };
    const server = await startForeign(rules, createLegacy("2025-11-25"));

    const error = errorOf(await visit(server));

    expect(error.message).toContain("Access-Control-Expose-Headers");
    expect(error.message).toContain("Mcp-Session-Id");
  });

  test("a header of an argument that is not allowed is named by the call", async () => {
    const server = await startForeign({ origin: "*", headers: ANY_HEADER }, createHandler());

    const { outcomes, verdict } = await visit(server, [{ do: "connect" }, REGION]);

    expect(verdict).toMatchObject({ era: "modern" });
    expect(outcomes[1]?.error?.message).toContain("Mcp-Param-Region");
    expect(outcomes[1]?.error?.message).toContain("Access-Control-Allow-Headers");
  });

  test("a header of an argument that is allowed is sent", async () => {
    const headers = `${ANY_HEADER}, Mcp-Param-Region`;
    const server = await startForeign({ origin: "*", headers }, createHandler());

    const { outcomes } = await visit(server, [{ do: "connect" }, REGION]);

    expect(outcomes[1]).toEqual({ value: "eu" });
  });

  test("a redirect is refused, since a page does not learn where it goes", async () => {
    const server = await startForeign({ origin: "*", headers: ANY_HEADER }, (_, response) =>
      response.writeHead(308, { location: "/elsewhere" }).end(),
    );

    const error = errorOf(await visit(server));

    expect(error.code).toBe("redirect_refused");
  });

  test("an address where nothing listens is no matter of CORS", async () => {
    const error = errorOf(await visit({ url: `http://127.0.0.1:${await findClosedPort()}/mcp` }));

    expect(error.code).toBe("connection_failed");
    expect(error.message).not.toContain("Access-Control");
  });

  test("an address that the page's policy forbids is no matter of CORS", async () => {
    const server = await startForeign("own", createHandler({ cors: "auto" }));
    const page = await browser.openPage("127.0.0.1", "/closed-off");

    const error = errorOf(await page.call("visit", { url: server.url }, GREET));

    expect(error.message).toContain("Content-Security-Policy");
    expect(error.message).not.toContain("Access-Control");
  });
});

describe("with a server of 2024-11-05 whose stream alone can be reached", () => {
  test("a page goes on with the stream", async () => {
    const handler = createHandler({
      protocolVersions: ["2024-11-05"],
      legacy: { sse: { path: "/mcp-stream", messagePath: "/messages" } },
    });
    const rules = (path: string): typeof OLDEST_RULES =>
      path === "/messages" ? OLDEST_RULES : { origin: "*", headers: "Authorization" };
    const server = await startForeign(rules, handler);

    const { outcomes, verdict } = await visit({ url: server.url.replace("/mcp", "/mcp-stream") });

    expect(outcomes[1]).toEqual(GREETED);
    expect(verdict).toMatchObject({ era: "legacy", transport: "sse" });
  });
});
