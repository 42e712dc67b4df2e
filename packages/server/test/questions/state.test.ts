import { createMemoryStateStore, type ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import type { Answer } from "../eras.js";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

const KEY_A = { id: "a", key: new Uint8Array(32).fill(1) };
const KEY_B = { id: "b", key: new Uint8Array(32).fill(2) };
const ASKING = { input: { type: "object", properties: { city: { type: "string" } } } } as const;

function createAsking(options: Partial<ServerOptions> = {}, description = "Asks") {
  const created = createServer(options);
  let runs = 0;
  for (const name of ["ask", "other"])
    created.server.tool(name, { ...ASKING, description }, async (_, { elicit }) => {
      runs += 1;
      const answer = await elicit({ message: "Who?", schema: NAME_SCHEMA, key: "who" });
      return answer.action;
    });
  return { ...created, runs: () => runs };
}

function accepting(): unknown {
  return accept({ name: "Ada" });
}

describe("the state of a request", () => {
  test("is good for the same request whatever the order of its arguments", async () => {
    const { server } = createServer();
    server.tool("ask", { input: { type: "object" } }, async (_, { elicit }) => {
      return (await elicit({ message: "Who?", schema: NAME_SCHEMA })).action;
    });
    const first = await send(server, { params: { name: "ask", arguments: { a: 1, b: { c: 2, d: 3 } } } });

    const params = { arguments: { b: { d: 3, c: 2 }, a: 1 }, name: "ask" };

    expect(textOf(await reply(server, first, accepting, { params }))).toBe("accept");
  });

  test("is good for the same request whether no arguments are sent as none or as an empty object", async () => {
    const { server } = createAsking();
    const first = await send(server, { params: { name: "ask" } });

    const second = await reply(server, first, accepting, { params: { name: "ask", arguments: {} } });

    expect(textOf(second)).toBe("accept");
  });

  test.each<[string, (first: Answer, asking: ReturnType<typeof createAsking>) => Promise<Answer>]>([
    ["was changed", ({ result }, { server }) => send(server, { state: `${result.requestState}-TAMPERED` })],
    ["was cut", ({ result }, { server }) => send(server, { state: result.requestState.slice(0, -1) })],
    ["is empty", (_, { server }) => send(server, { state: "" })],
    ["was made up", (_, { server }) => send(server, { state: "bm90aGluZw" })],
    ["is another caller's", (first, { server }) => reply(server, first, accepting, { options: { principal: "eve" } })],
    [
      "was made for other arguments",
      (first, { server }) => reply(server, first, accepting, { params: { name: "ask", arguments: { city: "Ulm" } } }),
    ],
    [
      "was made for another tool",
      (first, { server }) => reply(server, first, accepting, { params: { name: "other", arguments: {} } }),
    ],
    [
      "was made for another method",
      (first, { server }) => {
        server.prompt("ask", {}, () => "");
        return reply(server, first, accepting, { method: "prompts/get" });
      },
    ],
  ])("is refused before the handler runs when it %s", async (_, again) => {
    const asking = createAsking();
    const first = await send(asking.server);

    const { error } = await again(first, asking);

    expect(error).toMatchObject({ code: -32602 });
    expect(asking.runs()).toBe(1);
  });

  test("is refused when the tool was defined otherwise", async () => {
    const keys = { state: { keys: [KEY_A] } };
    const first = await send(createAsking(keys).server);

    const { error } = await reply(createAsking(keys, "Asks for more").server, first, accepting);

    expect(error).toMatchObject({ code: -32602 });
  });

  test("is refused by a server of another name", async () => {
    const keys = { state: { keys: [KEY_A] } };
    const first = await send(createAsking(keys).server);

    const { error } = await reply(createAsking({ ...keys, name: "other" }).server, first, accepting);

    expect(error).toMatchObject({ code: -32602 });
  });

  test("is refused once its time is over", async () => {
    const { server } = createAsking({ state: { keys: [KEY_A], ttl: 1 } });
    const first = await send(server);
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect((await reply(server, first, accepting)).error).toMatchObject({ code: -32602 });
  });

  test("is read by another process with the key, and by an older key of the ring", async () => {
    const first = await send(createAsking({ state: { keys: [KEY_A] } }).server);

    const rotated = createAsking({ state: { keys: [KEY_B, KEY_A] } }).server;
    const retired = createAsking({ state: { keys: [KEY_B] } }).server;

    expect(textOf(await reply(rotated, first, accepting))).toBe("accept");
    expect((await reply(retired, first, accepting)).error).toMatchObject({ code: -32602 });
  });

  test("is good once, where states are for single use", async () => {
    const store = createMemoryStateStore();
    const { server } = createAsking({ state: { keys: [KEY_A], store, singleUse: true } });
    const first = await send(server);

    expect(textOf(await reply(server, first, accepting))).toBe("accept");
    expect((await reply(server, first, accepting)).error).toMatchObject({ code: -32602 });
  });

  test("is not used up by whoever it was not made for", async () => {
    const store = createMemoryStateStore();
    const { server } = createAsking({ state: { keys: [KEY_A], store, singleUse: true } });
    const first = await send(server);
    await reply(server, first, accepting, { options: { principal: "eve" } });

    expect(textOf(await reply(server, first, accepting))).toBe("accept");
  });

  test("shows nothing of the answers", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      await elicit({ message: "One?", schema: NAME_SCHEMA });
      await elicit({ message: "Two?", schema: NAME_SCHEMA });
      return "done";
    });
    const second = await reply(server, await send(server), () => accept({ name: "very-secret" }));

    expect(atob(second.result.requestState.replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("very-secret");
  });
});

describe("answers that do not fit into the state", () => {
  const LONG = accept({ name: "x".repeat(5_000) });

  function createStepping(options: Partial<ServerOptions>) {
    const created = createServer(options);
    created.server.tool("ask", {}, async (_, { elicit }) => {
      await elicit({ message: "One?", schema: NAME_SCHEMA });
      await elicit({ message: "Two?", schema: NAME_SCHEMA });
      return "done";
    });
    return created;
  }

  test("fail the call with an error, and the owner learns why", async () => {
    const { server, errors } = createStepping({ state: { maxBytes: 2048 } });

    const second = await reply(server, await send(server), () => LONG);

    expect(second.error).toMatchObject({ code: -32603 });
    expect(errors).toMatchObject([{ code: "state_too_large" }]);
  });

  test("wait in the store, where there is one", async () => {
    const { server } = createStepping({ state: { maxBytes: 2048, store: createMemoryStateStore() } });

    const second = await reply(server, await send(server), () => LONG);
    const third = await reply(server, second, accepting);

    expect(second.result.requestState.length).toBeLessThan(2048);
    expect(textOf(third)).toBe("done");
  });
});
