import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { createServer, reply, send, textOf } from "./modern-client.js";

const ADDRESS = "https://pay.example/checkout?order=7";

function createAsking(question: object = { message: "Pay", url: ADDRESS }) {
  const created = createServer();
  created.server.tool("ask", {}, async (_, { elicit }) => JSON.stringify(await elicit(question as never)));
  return created;
}

describe("a page to visit", () => {
  test("is put to modern clients without an id", async () => {
    const { server } = createAsking({ message: "Pay", url: ADDRESS, elicitationId: "mine", key: "pay" });

    const first = await send(server);
    const second = await reply(server, first, () => ({ action: "accept", content: { secret: 1 } }));

    expect(first.result.inputRequests.pay).toEqual({
      method: "elicitation/create",
      params: { mode: "url", message: "Pay", url: ADDRESS },
    });
    expect(JSON.parse(textOf(second) ?? "")).toEqual({ action: "accept" });
  });

  test("may be a URL object", async () => {
    const { server } = createAsking({ message: "Pay", url: new URL(ADDRESS), key: "pay" });

    expect((await send(server)).result.inputRequests.pay.params.url).toBe(ADDRESS);
  });

  test.each([
    ["https://pay.example/ä b?q={x}|y", "https://pay.example/%C3%A4%20b?q=%7Bx%7D%7Cy"],
    ["https://pay.example/a%20b?c=[d]#e", "https://pay.example/a%20b?c=[d]#e"],
    ["https://pay.example", "https://pay.example"],
  ])("is a URL on the wire, however it was written: %s", async (url, expected) => {
    const { server } = createAsking({ message: "Pay", url, key: "pay" });

    expect((await send(server)).result.inputRequests.pay.params.url).toBe(expected);
  });

  test.each([
    ["the id it was given", { elicitationId: "mine" }, "mine"],
    ["a random id", {}, expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])("carries %s to legacy clients", async (_, more, elicitationId) => {
    const { server } = createAsking({ message: "Pay", url: ADDRESS, ...more });
    const client = openLegacy(server, () => ({ result: { action: "accept" } }));

    const answer = await client.call();

    expect(client.put[0]?.params).toEqual({ mode: "url", message: "Pay", url: ADDRESS, elicitationId });
    expect(JSON.parse(textOf(answer) ?? "")).toEqual({ action: "accept" });
  });

  test.each([
    ["no address", { message: "Pay", url: "checkout" }],
    ["an address of the wrong type", { message: "Pay", url: 5 }],
    ["no message", { url: ADDRESS }],
    ["an id of the wrong type", { message: "Pay", url: ADDRESS, elicitationId: 5 }],
    ["an empty key", { message: "Pay", url: ADDRESS, key: "" }],
    ["a key of the wrong type", { message: "Pay", url: ADDRESS, key: 5 }],
    ["a key that is too long", { message: "Pay", url: ADDRESS, key: "k".repeat(257) }],
  ])("is not put with %s", async (_, question) => {
    const { server, errors } = createAsking(question);

    expect((await send(server)).result.isError).toBe(true);
    expect(errors).toMatchObject([{ code: "invalid_options" }]);
  });
});

describe("a page that has been dealt with", () => {
  test.each([
    [
      "2025-11-25",
      [{ jsonrpc: "2.0", method: "notifications/elicitation/complete", params: { elicitationId: "mine" } }],
    ],
    ["2025-06-18", []],
  ])("is told to clients of %s", async (version, notices) => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { completeElicitation }) => {
      await completeElicitation("mine");
      return "done";
    });
    const client = openLegacy(server, undefined, { version });

    await client.call();

    expect(client.notices).toEqual(notices);
  });
});
