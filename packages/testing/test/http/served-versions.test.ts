import { describe, expect, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { createFixture, legacy, modern, opening, PLAIN_HEADERS } from "./fixture.js";

const NOTICE = '{"jsonrpc":"2.0","method":"notifications/whatever"}';
const RESPONSE = '{"jsonrpc":"2.0","id":1,"result":{}}';

function say(body: string, version?: string): Sent {
  return { headers: { ...PLAIN_HEADERS, ...(version === undefined ? {} : { "mcp-protocol-version": version }) }, body };
}

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each([
    { title: "a request", request: legacy("tools/list", {}, { version: "2025-03-26" }) },
    { title: "a request without a version", request: legacy("tools/list", {}, { version: undefined }) },
    { title: "an array", request: say(`[${legacy("ping").body}]`, "2025-03-26") },
    { title: "an array of notices without a version", request: say(`[${NOTICE}]`) },
    { title: "a notice", request: say(NOTICE, "2025-03-26") },
    { title: "a response", request: say(RESPONSE, "2025-03-26") },
  ])("refuses $title of a revision that is known but not served, with 400", async ({ request }) => {
    const mounted = await adapter.mount(createFixture({ protocolVersions: ["2026-07-28", "2025-06-18"] }).server);

    const answer = await mounted.send(request);

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.code).toBe(-32600);
  });

  test("reads requests without a version as the newest served revision whose clients send none", async () => {
    const { server } = createFixture({ protocolVersions: ["2025-06-18", "2024-11-05"] });
    server.tool("sound", {}, () => ({ type: "audio", data: "AA==", mimeType: "audio/wav" }));
    const mounted = await adapter.mount(server);

    const answer = await mounted.send(legacy("tools/call", { name: "sound" }, { version: undefined }));

    await mounted.close();
    expect(answer.status).toBe(200);
    // Audio came with 2025-03-26.
    expect(JSON.parse(answer.body).result.content[0].type).toBe("resource");
  });

  test("never agrees on a revision it does not serve", async () => {
    const mounted = await adapter.mount(createFixture({ protocolVersions: ["2026-07-28", "2025-06-18"] }).server);

    const answer = await mounted.send(legacy("initialize", opening("2025-03-26"), { version: undefined }));

    await mounted.close();
    expect(JSON.parse(answer.body).result.protocolVersion).toBe("2025-06-18");
  });

  test("refuses a handshake where only modern revisions are served, naming them", async () => {
    const mounted = await adapter.mount(createFixture({ protocolVersions: ["2026-07-28"] }).server);

    const answer = await mounted.send(legacy("initialize", opening("2025-06-18"), { version: undefined }));

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2025-06-18" } },
    });
  });

  test("offers the legacy revision that is listed first to a client that asks for another", async () => {
    const versions = ["2025-06-18", "2025-11-25", "2026-07-28"];
    const byServer = await adapter.mount(createFixture({ protocolVersions: versions }).server);
    const byHandler = await adapter.mount(createFixture().server, { protocolVersions: versions });
    const request = legacy("initialize", opening("1999-01-01"), { version: undefined });

    const answers = [await byServer.send(request), await byHandler.send(request)];

    await Promise.all([byServer.close(), byHandler.close()]);
    expect(answers.map(({ body }) => JSON.parse(body).result.protocolVersion)).toEqual(["2025-06-18", "2025-06-18"]);
  });

  test("speaks at one endpoint only what its option lists, and at another everything", async () => {
    const { server } = createFixture();
    const narrow = await adapter.mount(server, { protocolVersions: ["2026-07-28", "2025-06-18"] });
    const wide = await adapter.mount(server);
    const requests = [
      legacy("initialize", opening("2025-11-25"), { version: undefined }),
      legacy("tools/list", {}, { version: "2025-11-25" }),
      say(NOTICE, "2025-11-25"),
      modern("server/discover"),
    ];

    const narrowly = await Promise.all(requests.map((request) => narrow.send(request)));
    const widely = await Promise.all(requests.map((request) => wide.send(request)));

    await Promise.all([narrow.close(), wide.close()]);
    expect(narrowly.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
    expect(JSON.parse(narrowly[0]?.body ?? "").result.protocolVersion).toBe("2025-06-18");
    expect(JSON.parse(narrowly[3]?.body ?? "").result.supportedVersions).toEqual(["2026-07-28", "2025-06-18"]);
    expect(widely.map(({ status }) => status)).toEqual([200, 200, 202, 200]);
    expect(JSON.parse(widely[0]?.body ?? "").result.protocolVersion).toBe("2025-11-25");
  });

  test("leaves out what the server does not speak, and refuses an option of which nothing remains", async () => {
    const { server } = createFixture({ protocolVersions: ["2026-07-28"] });
    const mounted = await adapter.mount(server, { protocolVersions: ["2025-06-18", "2026-07-28"] });

    const answer = await mounted.send(modern("server/discover"));

    await mounted.close();
    expect(JSON.parse(answer.body).result.supportedVersions).toEqual(["2026-07-28"]);
    await expect(adapter.mount(server, { protocolVersions: ["2025-06-18"] })).rejects.toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });

  test("refuses modern messages where only legacy revisions are served", async () => {
    const mounted = await adapter.mount(createFixture({ protocolVersions: ["2025-06-18"] }).server);

    const request = await mounted.send(modern("server/discover"));
    const notice = await mounted.send(say(NOTICE, "2026-07-28"));

    await mounted.close();
    expect([request.status, notice.status]).toEqual([400, 400]);
    expect(JSON.parse(request.body).error).toMatchObject({ code: -32022, data: { supported: ["2025-06-18"] } });
  });
});
