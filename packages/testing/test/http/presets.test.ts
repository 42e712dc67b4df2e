import { presets } from "@mortise/http";
import { presets as nodePresets } from "@mortise/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { createFixture, legacy, modern, opening, PLAIN_HEADERS } from "./fixture.js";

const EVIL = "https://evil.example";
const PAGE = "http://localhost:5173";

function from(origin: string, request: Sent): Sent {
  return { ...request, headers: { ...request.headers, origin } };
}

function begin(version: string): Sent {
  return legacy("initialize", opening(version), { version: undefined });
}

test("presets are the same on Node, plain, and frozen through and through", () => {
  const all = Object.values(presets);

  expect(nodePresets).toBe(presets);
  expect([presets, ...all].every((preset) => Object.isFrozen(preset))).toBe(true);
  expect(all.flatMap((preset) => Object.values(preset)).every((value) => Object.isFrozen(value))).toBe(true);
  expect(all.map((preset) => Object.getPrototypeOf(preset))).toEqual(all.map(() => Object.prototype));
});

describe.each(ADAPTERS)("$name", (adapter) => {
  const mount = async (options: Parameters<typeof adapter.mount>[1]) => {
    const { server } = createFixture({ onWarning: () => undefined }); // that ids are sealed with a key of its own
    const mounted = await adapter.mount(server, options);
    onTestFinished(() => mounted.close());
    return mounted;
  };

  describe("with the preset sessions", () => {
    test("gives legacy clients an id, knows it until they end it, and answers 404 from then on", async () => {
      const mounted = await mount(presets.sessions);
      const opened = await mounted.send(begin("2025-06-18"));
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
      const list = legacy("tools/list");
      const listing = { ...list, headers: { ...list.headers, ...session } };

      const before = await mounted.send(listing);
      const ended = await mounted.send({ method: "DELETE", headers: session });
      const after = await mounted.send(listing);

      expect(session["mcp-session-id"]).toMatch(/^[\x21-\x7e]+$/);
      expect([before.status, after.status]).toEqual([200, 404]);
      expect([200, 204]).toContain(ended.status);
    });

    test.each([
      ["2025-11-25", "2025-11-25"],
      ["2025-03-26", "2025-03-26"],
      ["2024-11-05", "2025-11-25"],
    ])("agrees with a client that asks for %s on %s", async (asked, agreed) => {
      const mounted = await mount(presets.sessions);

      const opened = await mounted.send(begin(asked));

      expect(JSON.parse(opened.body).result.protocolVersion).toBe(agreed);
    });

    test("serves modern clients without an id, lets pages of this machine in, and no stream by GET", async () => {
      const mounted = await mount(presets.sessions);

      const answers = [
        await mounted.send(modern("tools/list")),
        await mounted.send(from(PAGE, modern("tools/list"))),
        await mounted.send(from(EVIL, modern("tools/list"))),
        await mounted.send({ method: "GET" }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 405]);
      expect(answers[0]?.headers.has("mcp-session-id")).toBe(false);
    });
  });

  describe("with the preset stateless", () => {
    test("mints no id, and answers what has no message with 405", async () => {
      const mounted = await mount(presets.stateless);

      const answers = [
        await mounted.send(begin("2025-06-18")),
        await mounted.send({ method: "GET" }),
        await mounted.send({ method: "DELETE" }),
        await mounted.send({ method: "OPTIONS" }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 405, 405, 405]);
      expect(answers[0]?.headers.has("mcp-session-id")).toBe(false);
      expect(answers[1]?.headers.get("allow")).toBe("POST");
    });

    test("refuses pages, Accept headers that lack a type, other revisions and modern notices", async () => {
      const mounted = await mount(presets.stateless);
      const list = modern("tools/list");
      const notice = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';

      const answers = [
        await mounted.send(from(PAGE, list)),
        await mounted.send({ ...list, headers: { ...list.headers, accept: "application/json" } }),
        await mounted.send(legacy("tools/list", {}, { version: "2025-11-25" })),
        await mounted.send({ headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2026-07-28" }, body: notice }),
        await mounted.send({ headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2025-06-18" }, body: notice }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([403, 406, 400, 400, 202]);
    });

    test("answers with JSON and drops notices", async () => {
      const mounted = await mount(presets.stateless);

      const answer = await mounted.send(
        modern("tools/call", { name: "count", arguments: {} }, { meta: { progressToken: 1 } }),
      );

      expect(answer.headers.get("content-type")).toBe("application/json");
    });
  });

  describe("with the preset browser", () => {
    test("lets any page in with a literal star and no credentials, on errors too", async () => {
      const mounted = await mount(presets.browser);

      const answers = [
        await mounted.send(from(EVIL, modern("tools/list"))),
        await mounted.send(from(EVIL, modern("tools/fly"))),
        await mounted.send(from(EVIL, { method: "OPTIONS" })),
        await mounted.send(modern("tools/list")),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 404, 204, 200]);
      expect(answers.map(({ headers }) => headers.get("access-control-allow-origin"))).toEqual(["*", "*", "*", "*"]);
      expect(answers.some(({ headers }) => headers.has("access-control-allow-credentials"))).toBe(false);
    });

    test("serves a page that speaks 2024-11-05, sends hardly a header and wants an id", async () => {
      const mounted = await mount(presets.browser);
      const opened = await mounted.send(
        from(EVIL, { ...begin("2024-11-05"), headers: { "content-type": "application/json" } }),
      );
      const session = opened.headers.get("mcp-session-id") ?? "";

      const answer = await mounted.send(
        from(EVIL, {
          headers: { "content-type": "application/json", "mcp-session-id": session },
          body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}',
        }),
      );
      const ended = await mounted.send({ method: "DELETE", headers: { "mcp-session-id": session } });

      expect(JSON.parse(opened.body).result.protocolVersion).toBe("2024-11-05");
      expect(session).toMatch(/^[\x21-\x7e]+$/);
      expect(opened.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
      expect([answer.status, ended.status]).toEqual([200, 405]);
    });
  });

  test("can be spread and changed", async () => {
    const mounted = await mount({ ...presets.stateless, allowedOrigins: [EVIL], cors: "auto" });

    const answer = await mounted.send(from(EVIL, modern("tools/list")));

    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(EVIL);
  });
});
