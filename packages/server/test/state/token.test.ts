import { createMemoryStateStore, MCPServer } from "@mortise/server";
import { openToken, sealToken } from "@mortise/server/transport";
import { afterEach, expect, test, vi } from "vitest";
import { keyOf } from "./sealing.js";

const keys = [{ id: "a", key: keyOf(1) }];

afterEach(() => {
  vi.useRealTimers();
});

test("a transport's token opens on every server with the same keys, for its purpose alone", async () => {
  const [one, two] = [1, 2].map(() => new MCPServer({ name: "test", version: "1", state: { keys } })) as [
    MCPServer,
    MCPServer,
  ];

  const token = await sealToken(one, "session", { revision: "2025-11-25" });

  expect(await openToken(two, "session", token)).toEqual({ revision: "2025-11-25" });
  expect(await openToken(two, "state", token)).toBeUndefined();
});

test("a transport's token lives as long as the transport says", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const server = new MCPServer({ name: "test", version: "1", state: { keys, ttl: 1_000 } });
  const token = await sealToken(server, "session", {}, { ttl: 5_000 });

  vi.advanceTimersByTime(4_999);
  expect(await openToken(server, "session", token)).toEqual({});
  vi.advanceTimersByTime(1);
  expect(await openToken(server, "session", token)).toBeUndefined();
});

test("a transport's token can be used again where states are for single use", async () => {
  const state = { keys, store: createMemoryStateStore(), singleUse: true };
  const server = new MCPServer({ name: "test", version: "1", state });

  const token = await sealToken(server, "session", { n: 1 });

  expect(await openToken(server, "session", token)).toEqual({ n: 1 });
  expect(await openToken(server, "session", token)).toEqual({ n: 1 });
});
