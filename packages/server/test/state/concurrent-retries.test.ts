import { createMemoryStateStore, type StateStore } from "@mortise/server";
import { expect, test } from "vitest";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "../questions/modern-client.js";
import { keyOf } from "./sealing.js";

/** A store that other processes reach too, after some time. */
function createShared(): StateStore {
  const memory = createMemoryStateStore();
  const after = async <Value>(work: () => Value): Promise<Value> => {
    await Promise.resolve();
    return work();
  };
  return {
    set: (id, text, ttlMs) => after(() => memory.set(id, text, ttlMs)),
    get: (id) => after(() => memory.get(id)),
    take: (id) => after(() => memory.take(id)),
  };
}

test.each([
  ["short", "x"],
  ["too long to travel", "x".repeat(2_000)],
])("of two retries that reach two processes at once with a single-use state (%s), one is served", async (_, text) => {
  const store = createShared();
  const state = { keys: [{ id: "a", key: keyOf(1) }], store, singleUse: true, maxBytes: 1_024 };
  let runs = 0;
  const processes = [0, 1].map(() => {
    const { server } = createServer({ state });
    server.tool("ask", { input: { type: "object" } }, async (_, { elicit, once }) => {
      await once("text", () => text);
      const { action } = await elicit({ message: "Who?", schema: NAME_SCHEMA });
      runs += 1;
      return action;
    });
    return server;
  });
  const [one, two] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const first = await send(one);

  const answers = await Promise.all([one, two].map((server) => reply(server, first, () => accept({ name: "Ada" }))));

  expect(answers.map(textOf).filter((each) => each !== undefined)).toEqual(["accept"]);
  expect(answers.map(({ error }) => error?.code).filter((code) => code !== undefined)).toEqual([-32602]);
  expect(runs).toBe(1);
});
