import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { StreamMessage } from "../http/open-stream.js";
import { send } from "./probe.js";
import { type RoundRobin, startRoundRobin } from "./round-robin.js";
import { compileServer, type ServerProcess, type ServerProgram } from "./server-process.js";
import { type SharedStore, startSharedStore } from "./shared-store.js";

const NAME = { who: { action: "accept", content: { name: "Ada" } } };
const GREET = { name: "greet", arguments: {} };

let program: ServerProgram;
let alone: { readonly one: ServerProcess; readonly other: ServerProcess; readonly stranger: ServerProcess };
let proxy: RoundRobin;

/** Sends a request, and its retry with the answers. */
async function ask(url: string, method: string, params: Record<string, unknown>): Promise<StreamMessage | undefined> {
  const first = await (await send(url, method, params)).answer();
  return retry(url, method, { ...params, ...answersTo(first) });
}

async function retry(url: string, method: string, params: Record<string, unknown>): Promise<StreamMessage | undefined> {
  return (await send(url, method, params)).answer();
}

function answersTo(message: StreamMessage | undefined, inputResponses: object = NAME): Record<string, unknown> {
  expect(message?.result?.resultType).toBe("input_required");
  return { inputResponses, requestState: message?.result.requestState };
}

beforeAll(async () => {
  program = await compileServer();
  const [one, other, stranger] = await Promise.all([
    program.start({ keys: ["new", "old"] }),
    program.start({ keys: ["old", "new"] }),
    program.start({ keys: ["foreign"] }),
  ]);
  alone = { one, other, stranger };
  proxy = await startRoundRobin([one.port, other.port]);
}, 30_000);

afterAll(async () => {
  await proxy.close();
  await program.close();
});

describe("two processes that share a ring of keys and nothing else", () => {
  test.each([
    ["tool", "tools/call", GREET, { content: [{ type: "text", text: "Hello, Ada" }] }],
    ["prompt", "prompts/get", { name: "letter" }, { messages: [{ content: { text: "Write to Ada" } }] }],
    ["resource", "resources/read", { uri: "test://letter" }, { contents: [{ text: "Dear Ada" }] }],
  ])("ask for a %s in one and take the answer in the other", async (_, method, params, result) => {
    const before = proxy.taken.length;

    const answered = await ask(proxy.url, method, params);

    const [first, second] = proxy.taken.slice(before);
    expect(first).not.toBe(second);
    expect(answered?.result).toMatchObject({ resultType: "complete", ...result });
  });

  test("go through several rounds, and do what is done once in one of them alone", async () => {
    const params = { name: "book", arguments: {} };
    const draft = { role: "assistant", model: "m", content: { type: "text", text: "Dear Ada" } };

    const first = await retry(proxy.url, "tools/call", params);
    const second = await retry(proxy.url, "tools/call", { ...params, ...answersTo(first) });
    const third = await retry(proxy.url, "tools/call", { ...params, ...answersTo(second, { draft }) });
    const roots = { where: { roots: [{ uri: "file:///here" }] } };
    const last = await retry(proxy.url, "tools/call", { ...params, ...answersTo(third, roots) });

    expect(JSON.parse(last?.result.content[0].text)).toMatchObject({
      who: { content: { name: "Ada" } },
      content: { text: "Dear Ada" },
      roots: [{ uri: "file:///here" }],
    });
    expect([...alone.one.said, ...alone.other.said].filter((word) => word === "booked")).toHaveLength(1);
  });

  test("keep many callers apart that use the same ids at once", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `caller ${index}`);

    const greetings = await Promise.all(
      names.map(async (name) => {
        const first = await (await send(proxy.url, "tools/call", GREET)).answer();
        const answers = answersTo(first, { who: { action: "accept", content: { name } } });
        return (await retry(proxy.url, "tools/call", { ...GREET, ...answers }))?.result.content[0].text;
      }),
    );

    expect(greetings).toEqual(names.map((name) => `Hello, ${name}`));
  });

  test("have nothing in common with a process that has another key", async () => {
    const first = await (await send(alone.one.url, "tools/call", GREET)).answer();
    const answers = answersTo(first);

    const refused = await retry(alone.stranger.url, "tools/call", { ...GREET, ...answers });
    const taken = await retry(alone.other.url, "tools/call", { ...GREET, ...answers });

    expect(refused?.error.code).toBe(-32602);
    expect(taken?.result.content[0].text).toBe("Hello, Ada");
  });
});

describe("two processes that share a store and a bus", () => {
  let store: SharedStore;
  let shared: RoundRobin;

  beforeAll(async () => {
    store = await startSharedStore();
    const settings = { store: store.port, keys: ["only"] };
    const both = await Promise.all([program.start(settings), program.start(settings)]);
    shared = await startRoundRobin(both.map(({ port }) => port));
  });

  afterAll(async () => {
    await shared.close();
    await store.close();
  });

  test("find state that is too long to travel", async () => {
    const answered = await ask(shared.url, "tools/call", { name: "remember", arguments: {} });

    expect(answered?.result.content[0].text).toBe("100000");
  });

  test("take each state once, whichever of them is asked", async () => {
    const first = await (await send(shared.url, "tools/call", GREET)).answer();
    const params = { ...GREET, ...answersTo(first) };

    const answers = await Promise.all([1, 2, 3, 4].map(() => retry(shared.url, "tools/call", params)));

    expect(answers.filter((answer) => answer?.result !== undefined)).toHaveLength(1);
    expect(answers.filter((answer) => answer?.error?.code === -32602)).toHaveLength(3);
  });

  test("tell every listener of what changes in either of them", async () => {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ["test://document"],
    };
    const streams = [1, 2].map(() => send(shared.url, "subscriptions/listen", { notifications }));
    const listeners = await Promise.all(streams);
    for (const listener of listeners)
      expect((await listener.next())?.method).toBe("notifications/subscriptions/acknowledged");

    await (await send(shared.url, "tools/call", { name: "change", arguments: {} })).answer();

    for (const listener of listeners) {
      const heard = [await listener.next(), await listener.next(), await listener.next()];
      expect(heard.map((message) => message?.method).sort()).toEqual([
        "notifications/prompts/list_changed",
        "notifications/resources/updated",
        "notifications/tools/list_changed",
      ]);
      await listener.leave();
    }
  });

  test("end no listener when the other process is gone", async () => {
    const extra = await program.start({ store: store.port, keys: ["only"] });
    const reading = await send(extra.url, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    const listener = await send(shared.url, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    await listener.next();

    await extra.kill();
    await (await send(shared.url, "tools/call", { name: "change", arguments: {} })).answer();

    expect((await listener.next())?.method).toBe("notifications/tools/list_changed");
    await vi.waitFor(() => expect(reading.leave()).rejects.toThrow());
    await listener.leave();
  });
});
