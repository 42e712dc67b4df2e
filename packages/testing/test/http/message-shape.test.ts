import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, modern, PLAIN_HEADERS } from "./fixture.js";

const MODERN_HEADERS = { ...PLAIN_HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
const LISTING = modern("tools/list").body;

interface Row {
  readonly title: string;
  readonly body: string | Uint8Array;
  readonly code: number;
  readonly id?: string | number;
}

const REFUSED: readonly Row[] = [
  { title: "an empty object", body: "{}", code: -32600 },
  { title: "another JSON-RPC version", body: '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', code: -32600, id: 1 },
  { title: "no JSON-RPC version", body: '{"id":"a","method":"tools/list"}', code: -32600, id: "a" },
  { title: "a method that is a number", body: '{"jsonrpc":"2.0","id":1,"method":5}', code: -32600, id: 1 },
  { title: "params that are an array", body: '{"jsonrpc":"2.0","id":1,"method":"a","params":[]}', code: -32600, id: 1 },
  { title: "params that are text", body: '{"jsonrpc":"2.0","id":1,"method":"a","params":"x"}', code: -32600, id: 1 },
  { title: "a method beside a result", body: '{"jsonrpc":"2.0","id":1,"method":"a","result":{}}', code: -32600, id: 1 },
  { title: "a response", body: '{"jsonrpc":"2.0","id":1,"result":{}}', code: -32600 },
  { title: "a text", body: '"x"', code: -32600 },
  { title: "a number", body: "1", code: -32600 },
  { title: "null", body: "null", code: -32600 },
  { title: "an empty method", body: '{"jsonrpc":"2.0","id":1,"method":""}', code: -32600, id: 1 },
  { title: "the id null", body: '{"jsonrpc":"2.0","id":null,"method":"tools/list"}', code: -32600 },
  { title: "a fractional id", body: '{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}', code: -32600 },
  { title: "an id named twice", body: LISTING.replace('"id":1', '"id":1,"id":2'), code: -32600 },
  { title: "a method named twice", body: LISTING.replace('"id":1', '"id":1,"method":"x"'), code: -32600 },
  { title: "an array of modern requests", body: `[${LISTING}]`, code: -32600 },
  { title: "nothing", body: "", code: -32700 },
  { title: "half a message", body: LISTING.slice(0, -3), code: -32700 },
  { title: "two messages", body: LISTING + LISTING, code: -32700 },
  { title: "UTF-16", body: Buffer.from(LISTING, "utf16le"), code: -32700 },
  {
    title: "a byte that is not UTF-8",
    body: Buffer.from(LISTING.replace("probe", "pr\xFFbe"), "latin1"),
    code: -32700,
  },
];

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each(REFUSED)("refuses $title with 400", async ({ body, code, id }) => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);

    const answer = await mounted.send({ headers: MODERN_HEADERS, body });

    await mounted.close();
    const message = JSON.parse(answer.body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(message.error.code).toBe(code);
    expect(message.id).toBe(id);
    expect(Object.hasOwn(message, "id")).toBe(id !== undefined);
    expect(ran.count).toBe(0);
  });

  test.each([
    { title: "an unknown member", body: LISTING.replace('"id":1', '"id":1,"extra":true') },
    { title: "a byte order mark", body: `\uFEFF${LISTING}` },
    { title: "the id 0", body: LISTING.replace('"id":1', '"id":0') },
    { title: "an empty id", body: LISTING.replace('"id":1', '"id":""') },
    { title: "an id deeper inside", body: LISTING.replace('"params":{', '"params":{"id":{"id":1,"method":"x"},') },
  ])("serves a request with $title", async ({ body }) => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send({ headers: MODERN_HEADERS, body });

    await mounted.close();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).result.tools).toHaveLength(4);
  });

  test("accepts a notification with 202 and no body", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const body = '{"jsonrpc":"2.0","method":"notifications/whatever"}';
    const answer = await mounted.send({ headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2026-07-28" }, body });

    await mounted.close();
    expect([answer.status, answer.body]).toEqual([202, ""]);
  });

  test("refuses a modern notification where the option says so", async () => {
    const mounted = await adapter.mount(createFixture().server, { rejectModernNotifications: true });

    const body = '{"jsonrpc":"2.0","method":"notifications/whatever"}';
    const refused = await mounted.send({ headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2026-07-28" }, body });
    const accepted = await mounted.send({ headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2025-06-18" }, body });

    await mounted.close();
    expect([refused.status, accepted.status]).toEqual([400, 202]);
  });

  test("accepts a legacy client's response with 202", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const headers = { ...PLAIN_HEADERS, "mcp-protocol-version": "2025-11-25" };
    const answer = await mounted.send({ headers, body: '{"jsonrpc":"2.0","id":1,"result":{}}' });

    await mounted.close();
    expect(answer.status).toBe(202);
  });
});
