import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, opening, PLAIN_HEADERS } from "./fixture.js";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };
const NOTICE = { jsonrpc: "2.0", method: "notifications/x" };
const CALL = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "echo", arguments: {} } };

function batch(entries: readonly unknown[], version?: string) {
  const header = version === undefined ? {} : { "mcp-protocol-version": version };
  return { headers: { ...PLAIN_HEADERS, ...header }, body: JSON.stringify(entries) };
}

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each([undefined, "2025-03-26"])(
    "answers each request of a batch with the version header %s",
    async (version) => {
      const mounted = await adapter.mount(createFixture().server);

      const answer = await mounted.send(batch([LIST, NOTICE, PING], version));

      await mounted.close();
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject([
        { id: 1, result: {} },
        { id: 2, result: {} },
      ]);
    },
  );

  test("puts errors beside results", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(batch([{ ...PING, method: "nope" }, LIST]));

    await mounted.close();
    expect(JSON.parse(answer.body)).toMatchObject([
      { id: 2, error: { code: -32601 } },
      { id: 1, result: {} },
    ]);
  });

  test("accepts a batch of notifications and responses with 202", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answers = [
      await mounted.send(batch([NOTICE, NOTICE])),
      await mounted.send(batch([{ jsonrpc: "2.0", id: 1, result: {} }])),
    ];

    await mounted.close();
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, ""],
      [202, ""],
    ]);
  });

  test("sends notices and then the array as events", async () => {
    const mounted = await adapter.mount(createFixture().server);
    const counting = { ...CALL, params: { name: "count", arguments: { steps: 2 }, _meta: { progressToken: "t" } } };

    const answer = await mounted.send(batch([counting, PING]));

    await mounted.close();
    const events = answer.body
      .trim()
      .split("\n\n")
      .map((event) => JSON.parse(event.slice("data: ".length)));
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(events).toHaveLength(3);
    expect(events[2]).toMatchObject([{ id: 3 }, { id: 2 }]);
  });

  test.each([
    { title: "an opening inside", entries: [CALL, { ...LIST, method: "initialize", params: opening("2025-03-26") }] },
    { title: "no entry", entries: [] },
    { title: "an entry that is no message", entries: [CALL, 1] },
    { title: "an array inside", entries: [CALL, [PING]] },
    { title: "one id twice", entries: [CALL, { ...PING, id: 3 }] },
    { title: "too many entries", entries: Array.from({ length: 101 }, (_, id) => ({ ...PING, id })) },
  ])("refuses a batch with $title before anything runs", async ({ entries }) => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);

    const answer = await mounted.send(batch(entries));

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.code).toBe(-32600);
    expect(JSON.parse(answer.body)).not.toHaveProperty("id");
    expect(ran.count).toBe(0);
  });

  test.each(["2025-06-18", "2025-11-25", "2026-07-28", "2024-11-05"])("refuses every batch on %s", async (version) => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);

    const answer = await mounted.send(batch([CALL, PING], version));

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.code).toBe(-32600);
    expect(ran.count).toBe(0);
  });
});
