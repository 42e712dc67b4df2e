import { describe, expect, test } from "vitest";
import type { EdgeReply } from "../src/edge-reply.js";
import type { Body } from "../src/exchange.js";
import { GATE, NOBODY } from "../src/gate.js";
import type { HandlerOptions } from "../src/handler-options.js";
import { createPolicy } from "../src/policy.js";
import { createVisit, type Visit } from "../src/visit.js";
import { createFakeExchange } from "./fake-exchange.js";

type Asked = Parameters<typeof createFakeExchange>[0];

/** Runs one step alone. */
async function step(
  name: string,
  asked: Asked,
  options: HandlerOptions = {},
  prepare: (visit: Visit) => void = () => {},
) {
  const found = GATE.find((candidate) => candidate.name === name);
  const visit = createVisit(createFakeExchange(asked));
  prepare(visit);
  const reply: EdgeReply | undefined = await found?.check(visit, createPolicy(options));
  return { reply, visit };
}

test("the steps come in the order of the design", () => {
  expect(GATE.map(({ name }) => name)).toEqual([
    "path",
    "host",
    "origin",
    "preflight",
    "method",
    "auth",
    "other methods",
    "accept",
    "content type",
    "size",
    "body",
    "json",
    "message",
    "era",
    "session",
  ]);
});

describe("the step path", () => {
  test.each([
    { path: "/mcp", option: undefined, status: undefined },
    { path: "/other", option: undefined, status: 404 },
    { path: "/other", option: "*", status: undefined },
    { path: "/other", option: "/other", status: undefined },
  ])("answers $path with $status where the option is $option", async ({ path, option, status }) => {
    const { reply } = await step("path", { path }, { path: option });

    expect(reply?.status).toBe(status);
  });
});

describe("the step host", () => {
  test("judges the very first request that names no host", async () => {
    const { reply } = await step("host", { authority: undefined, localAddress: "127.0.0.1" });

    expect(reply?.status).toBe(400);
  });

  test("judges the very first request without a host by a list, too", async () => {
    const { reply } = await step("host", { authority: undefined }, { allowedHosts: ["mcp.example.com"] });

    expect(reply?.status).toBe(400);
  });

  test("judges anew when the same host is asked for on another address or port", () => {
    const policy = createPolicy();
    const ask = (localAddress: string, localPort: number) =>
      policy.checkHost(createFakeExchange({ authority: "localhost:80", localAddress, localPort }))?.status;

    expect([ask("127.0.0.1", 80), ask("127.0.0.1", 81), ask("10.0.0.1", 81), ask("::1", 80)]).toEqual([
      undefined,
      403,
      undefined,
      undefined,
    ]);
  });
});

describe("the step origin", () => {
  test("lets a request without an origin on, with no header for pages", async () => {
    const { reply, visit } = await step("origin", {});

    expect([reply, visit.headers]).toEqual([undefined, []]);
  });

  test("refuses a foreign origin and gives it no header for pages", async () => {
    const { reply, visit } = await step("origin", { headers: { origin: "https://evil.example" } });

    expect(reply?.status).toBe(403);
    expect(visit.headers).toEqual([]);
  });

  test("asks a function every time", () => {
    const asked: string[] = [];
    const policy = createPolicy({ allowedOrigins: (origin) => asked.push(origin) % 2 === 1 });

    expect([policy.allowsOrigin("a"), policy.allowsOrigin("a")]).toEqual([true, false]);
  });
});

describe("the step method", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE", "post", ""])("refuses %s with 405", async (method) => {
    const { reply } = await step("method", { method });

    expect(reply).toMatchObject({ status: 405, headers: expect.arrayContaining(["Allow"]) });
  });
});

describe("the step auth", () => {
  test("remembers who was recognized, and shows the verifier headers in any case", async () => {
    const seen: unknown[] = [];
    const { reply, visit } = await step(
      "auth",
      { headers: { authorization: "Bearer x" } },
      {
        auth: {
          verify: ({ method, url, header }) => {
            seen.push(method, url, header("Authorization"));
            return { principal: "ada", auth: { scope: "all" } };
          },
        },
      },
    );

    expect(reply).toBeUndefined();
    expect([visit.principal, visit.auth]).toEqual(["ada", { scope: "all" }]);
    expect(seen).toEqual(["POST", "http://localhost/mcp", "Bearer x"]);
  });

  test("runs before the body is read", () => {
    const names = GATE.map(({ name }) => name);

    expect(names.indexOf("auth")).toBeLessThan(names.indexOf("size"));
  });
});

describe("the step size", () => {
  test.each([
    { length: "11", status: 413 },
    { length: "10", status: undefined },
    { length: "nonsense", status: undefined },
  ])("answers a declared length of $length with $status", async ({ length, status }) => {
    const { reply } = await step("size", { headers: { "content-length": length } }, { maxMessageBytes: 10 });

    expect(reply?.status).toBe(status);
  });
});

describe("the step body", () => {
  test.each<{ body: Body; status: number; code: number }>([
    { body: { problem: "too_large" }, status: 413, code: -32600 },
    { body: { problem: "not_utf8" }, status: 400, code: -32700 },
    { body: { problem: "consumed" }, status: 500, code: -32603 },
  ])("answers $body.problem with $status", async ({ body, status, code }) => {
    const { reply } = await step("body", { body });

    expect(reply).toMatchObject({ status, error: { code } });
  });

  test("answers nobody where nobody is left", async () => {
    const { reply } = await step("body", { body: { problem: "gone" } });

    expect(reply).toBe(NOBODY);
  });

  test.each([
    ["text", '{"jsonrpc":"2.0"}'],
    ["bytes", new TextEncoder().encode('{"jsonrpc":"2.0"}')],
  ])("decodes a body that a parser left as %s", (_, parsedBody) => {
    const visit = createVisit(createFakeExchange({ parsedBody }));
    for (const name of ["body", "json"]) GATE.find((step) => step.name === name)?.check(visit, createPolicy());

    expect(visit.message).toEqual({ jsonrpc: "2.0" });
  });

  test("refuses a body that a parser left as bytes that are no UTF-8", () => {
    const visit = createVisit(createFakeExchange({ parsedBody: new Uint8Array([0xff]) }));

    expect(GATE.find(({ name }) => name === "body")?.check(visit, createPolicy())).toMatchObject({ status: 400 });
  });

  test("does not wait for a body that was decoded before", () => {
    const found = GATE.find(({ name }) => name === "body");
    const visit = createVisit(createFakeExchange({ parsedBody: { jsonrpc: "2.0" } }));

    expect(found?.check(visit, createPolicy())).toBeUndefined();
    expect(visit.message).toEqual({ jsonrpc: "2.0" });
  });
});

describe("the step era", () => {
  const request = (version?: string) => ({
    jsonrpc: "2.0",
    id: 4,
    method: "tools/list",
    ...(version === undefined ? {} : { params: { _meta: { "io.modelcontextprotocol/protocolVersion": version } } }),
  });

  test.each([
    { header: undefined, meta: undefined, era: "legacy", revision: "2025-03-26" },
    { header: "2025-11-25", meta: undefined, era: "legacy", revision: "2025-11-25" },
    { header: "2026-07-28", meta: undefined, era: "modern" },
    { header: undefined, meta: "2026-07-28", era: "modern" },
    { header: "2025-11-25", meta: "2026-07-28", era: "modern" },
  ])("selects $era for the header $header and the version $meta in _meta", async ({ header, meta, era, revision }) => {
    const headers = header === undefined ? {} : { "mcp-protocol-version": header };
    const { reply, visit } = await step("era", { headers }, {}, (prepared) => {
      prepared.kind = "request";
      prepared.message = request(meta);
    });

    expect(reply).toBeUndefined();
    expect(visit.selection).toMatchObject({ era, ...(revision === undefined ? {} : { revision: { id: revision } }) });
  });

  test("refuses a version header it does not know, with the request's id", async () => {
    const { reply } = await step("era", { headers: { "mcp-protocol-version": "x" } }, {}, (prepared) => {
      prepared.kind = "request";
      prepared.message = request();
    });

    expect(reply).toMatchObject({ status: 400, id: 4 });
  });
});
