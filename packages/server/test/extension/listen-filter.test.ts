import type { ListenFilter } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { open, settled } from "../pipe-client.js";
import { createServer, ID, knowing } from "./extended.js";

const GOOD: ListenFilter = { member: "xs", topics: () => ["x"], notice: () => ({ method: "notifications/x" }) };

function startListening(filter: Partial<ListenFilter>, value: unknown = "all") {
  const errors: unknown[] = [];
  const server = createServer(errors);
  const handle = server.extend({ id: ID, listenFilter: { ...GOOD, ...filter } });
  const client = open(server);
  client.request("subscriptions/listen", { notifications: { xs: value }, ...knowing() });
  return { handle, client, errors };
}

function fail(): never {
  throw new Error("broken");
}

describe("a listen filter that is broken", () => {
  test.each<[string, Partial<ListenFilter>]>([
    ["throws when it reads", { topics: fail }],
    ["reads by a promise", { topics: (() => Promise.reject(new Error("late"))) as never }],
    ["gives no list", { topics: (() => "x") as never }],
    ["throws when it acknowledges", { acknowledge: fail }],
    ["acknowledges by a promise", { acknowledge: () => Promise.reject(new Error("late")) }],
  ])("and %s turns the request away", async (_, filter) => {
    const { client, errors } = startListening(filter);
    await settled();

    expect(client.received).toMatchObject([{ error: { code: -32602 } }]);
    expect(errors).not.toEqual([]);
  });

  test.each<[string, ListenFilter["notice"]]>([
    ["throws", fail],
    ["gives no method", () => ({ method: 5 }) as never],
    ["gives what JSON cannot hold", () => ({ method: "notifications/x", params: { size: 1n } })],
  ])("and %s for news sends nothing, and hears of the next", async (_, broken) => {
    const { handle, client, errors } = startListening({
      notice: (topic, data) => (data === "broken" ? broken(topic, data) : { method: "notifications/x" }),
    });

    handle.publish("x", "broken");
    handle.publish("x", "whole");
    await settled();

    expect(client.received.slice(1)).toMatchObject([{ method: "notifications/x" }]);
    expect(errors).toHaveLength(1);
  });
});
