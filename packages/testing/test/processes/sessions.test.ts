import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { LegacyProbe, type Reading } from "./probe.js";
import { type RoundRobin, startRoundRobin } from "./round-robin.js";
import { compileServer, type ServerProcess, type ServerProgram } from "./server-process.js";
import { type SharedStore, startSharedStore } from "./shared-store.js";

const ROOTS = { roots: [{ uri: "file:///here" }] };
const ACCEPTED = { action: "accept", content: { name: "Ada" } };
const VERSION = "2025-11-25";

let program: ServerProgram;
let store: SharedStore;
let both: readonly ServerProcess[];
let proxy: RoundRobin;

async function open(version = VERSION): Promise<LegacyProbe> {
  const probe = new LegacyProbe(proxy.url, version);
  await probe.open();
  return probe;
}

/** Waits until some handler says something that none has said before. */
async function heard(word: string, times: number): Promise<ServerProcess> {
  const count = ({ said }: ServerProcess): number => said.filter((each) => each === word).length;
  await vi.waitFor(() => expect(both.reduce((sum, one) => sum + count(one), 0)).toBe(times));
  return both.find((one) => one.said.at(-1) === word) as ServerProcess; // one of them has just said it
}

function countSaid(word: string): number {
  return both.flatMap(({ said }) => said).filter((each) => each === word).length;
}

/** Whether a request went to another process than the one before. */
function alternated(since: number): boolean {
  const places = proxy.taken.slice(since);
  return places.every((place, index) => index === 0 || place !== places[index - 1]);
}

function methodOf(reading: Reading): Promise<string | undefined> {
  return reading.next().then((message) => message?.method);
}

beforeAll(async () => {
  program = await compileServer();
  store = await startSharedStore();
  const settings = { store: store.port, keys: ["only"], legacy: "stored" } as const;
  both = await Promise.all([program.start(settings), program.start(settings)]);
  proxy = await startRoundRobin(both.map(({ port }) => port));
}, 30_000);

afterAll(async () => {
  await proxy.close();
  await program.close();
  await store.close();
});

describe.each(["2025-11-25", "2025-06-18", "2025-03-26"])("a session of %s that two processes share", (version) => {
  test("takes the answer to a question in the process that did not ask", async () => {
    const probe = await open(version);
    const before = proxy.taken.length;

    const calling = await probe.call("where");
    const question = await calling.next();
    const status = await probe.post({ id: question?.id, result: ROOTS });

    expect([question?.method, status, alternated(before)]).toEqual(["roots/list", 202, true]);
    expect((await calling.answer())?.result.content[0].text).toBe("file:///here");
  });

  test("tells of changes in one process on the stream that the other holds, once", async () => {
    const probe = await open(version);
    const streams = [await probe.listen(), await probe.listen()];
    await (await probe.request("resources/subscribe", { uri: "test://document" })).answer();

    await (await probe.call("change")).answer();

    const newest = streams[1] as Reading;
    expect([await methodOf(newest), await methodOf(newest), await methodOf(newest)].sort()).toEqual([
      "notifications/prompts/list_changed",
      "notifications/resources/updated",
      "notifications/tools/list_changed",
    ]);
    await probe.end();
    const late = await Promise.all(streams.map((stream) => stream.answer()));
    expect(late).toEqual([undefined, undefined]);
  });
});

test.each([
  ["prompt", "prompts/get", { name: "letter" }, { messages: [{ content: { text: "Write to Ada" } }] }],
  ["resource", "resources/read", { uri: "test://letter" }, { contents: [{ text: "Dear Ada" }] }],
])("a %s asks in one process, and is answered in the other", async (_, method, params, result) => {
  const probe = await open();

  const asking = await probe.request(method, params);
  await probe.post({ id: (await asking.next())?.id, result: ACCEPTED });

  expect((await asking.answer())?.result).toMatchObject(result);
});

test("several questions of one call are answered in whatever process", async () => {
  const probe = await open();
  const draft = { role: "assistant", model: "m", content: { type: "text", text: "Dear Ada" } };

  const calling = await probe.call("book");
  for (const result of [ACCEPTED, draft, ROOTS]) await probe.post({ id: (await calling.next())?.id, result });

  const booked = JSON.parse((await calling.answer())?.result.content[0].text);
  expect(booked).toMatchObject({ who: ACCEPTED, content: draft.content, roots: ROOTS.roots });
});

test("an answer counts only within the session that was asked", async () => {
  const [probe, stranger] = [await open(), await open()];
  const calling = await probe.call("greet");
  const id = (await calling.next())?.id;

  const statuses = [
    await stranger.post({ id, result: { action: "decline" } }),
    await stranger.post({ id, result: { action: "decline" } }),
    await probe.post({ id, result: ACCEPTED }),
    await probe.post({ id, result: { action: "cancel" } }),
  ];

  expect(statuses).toEqual([202, 202, 202, 202]);
  expect((await calling.answer())?.result.content[0].text).toBe("Hello, Ada");
});

test("many sessions that use the same ids at once get their own answers", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `caller ${index}`);

  const greetings = await Promise.all(
    names.map(async (name) => {
      const probe = await open();
      const calling = await probe.call("greet");
      await probe.post({ id: (await calling.next())?.id, result: { action: "accept", content: { name } } });
      return (await calling.answer())?.result.content[0].text;
    }),
  );

  expect(greetings).toEqual(names.map((name) => `Hello, ${name}`));
});

test("a question of a call whose client has left goes on the stream that the other process holds", async () => {
  const probe = await open("2025-06-18");
  const stream = await probe.listen();
  const before = countSaid("holding");
  const leaver = new AbortController();
  const left = expect(probe.call("ask late", 1, leaver.signal)).rejects.toThrow();
  const worker = await heard("holding", before + 1);
  leaver.abort();
  await left;
  await vi.waitFor(() => expect(proxy.open).toBe(1));
  for (const id of [2, 3]) await (await probe.request("ping", {}, id)).answer(); // the worker knows by now

  worker.release();
  const question = await stream.next();
  await probe.post({ id: question?.id, result: ROOTS });

  expect(question?.method).toBe("roots/list");
  await heard("answered file:///here", 1);
  await stream.leave();
});

test("a call is cancelled by way of the process that does not work on it", async () => {
  const probe = await open();
  const stranger = await open();
  const [holding, aborted] = [countSaid("holding"), countSaid("aborted")];
  const calling = await probe.call("hold", "held");
  await heard("holding", holding + 1);
  const params = { requestId: "held" };

  await stranger.post({ method: "notifications/cancelled", params });
  await stranger.post({ method: "notifications/cancelled", params });
  expect(countSaid("aborted")).toBe(aborted);
  await probe.post({ method: "notifications/cancelled", params });

  await heard("aborted", aborted + 1);
  expect((await calling.answer())?.result).toBeUndefined();
});

test("the log level set in one process holds in the other", async () => {
  const probe = await open();
  const quiet = await probe.call("chat");
  const before = await quiet.next();
  await quiet.answer();

  const set = await probe.request("logging/setLevel", { level: "debug" });
  await set.answer();
  const after = [await (await probe.call("chat")).next(), await (await probe.call("chat")).next()];

  expect(before?.result.content[0].text).toBe("chatted");
  expect(after.map((message) => message?.params?.level)).toEqual(["debug", "debug"]);
});

test("what is watched can be changed in the process that does not hold the stream", async () => {
  const probe = await open();
  const stream = await probe.listen();
  const watched = { uri: "test://document" };
  await (await probe.request("resources/subscribe", watched)).answer();
  await (await probe.request("resources/unsubscribe", watched)).answer();
  const told: unknown[] = [];
  // Heard before the next change, with which a slow stream would merge them.
  for (const _ of ["once", "again"]) {
    await (await probe.call("change")).answer();
    told.push(await methodOf(stream), await methodOf(stream));
  }

  expect(told).not.toContain("notifications/resources/updated");
  await stream.leave();
});

test("the end of a session in one process ends its calls and streams in the other, and no other session's", async () => {
  const [probe, other] = [await open(), await open()];
  const [holding, aborted] = [countSaid("holding"), countSaid("aborted")];
  const streams = [await probe.listen(), await probe.listen()];
  const calls = [await probe.call("hold", 1), await probe.call("hold", 2)];
  await heard("holding", holding + 2);

  expect(await probe.end()).toBe(204);

  await heard("aborted", aborted + 2);
  for (const reading of [...streams, ...calls]) expect((await reading.answer())?.result).toBeUndefined();
  const gone = [await probe.request("tools/list"), await probe.request("tools/list")];
  const alive = [await other.request("tools/list"), await other.request("tools/list")];
  expect([...gone, ...alive].map(({ status }) => status)).toEqual([404, 404, 200, 200]);
});

test("the end of a session takes what its streams sent out of the store", async () => {
  const probe = await open();
  const before = store.countStreams();
  for (const id of [1, 2]) {
    const calling = await probe.call("where", id);
    await probe.post({ id: (await calling.next())?.id, result: ROOTS });
    await calling.answer();
  }
  expect(store.countStreams()).toBe(before + 2);

  await probe.end();

  await vi.waitFor(() => expect(store.countStreams()).toBe(before));
});

test("a stream that broke goes on in the other process, while the call is worked on", async () => {
  const probe = await open();
  const before = countSaid("holding");
  const calling = await probe.call("hold", "resumed");
  const first = await calling.next();
  const worker = await heard("holding", before + 1);
  await calling.leave();

  const resumed = await probe.listen(calling.last);
  worker.release();

  expect(first?.params.data).toBe("holding");
  expect(await resumed.answer()).toMatchObject({ id: "resumed", result: { content: [{ text: "held" }] } });
});

test("an answer that nobody read is found in whatever process", async () => {
  const probe = await open();
  const [holding, released] = [countSaid("holding"), countSaid("released")];
  const calling = await probe.call("hold", "late");
  await calling.next();
  const worker = await heard("holding", holding + 1);
  await calling.leave();
  worker.release();
  await heard("released", released + 1);

  const answers = [await probe.listen(calling.last), await probe.listen(calling.last)];

  for (const answer of answers) expect(await answer.answer()).toMatchObject({ id: "late" });
});

test("a question that was asked on a broken stream is read and answered in the other process", async () => {
  const probe = await open();
  const calling = await probe.call("where", "asked");
  const primed = await calling.nextEvent();
  await calling.leave();

  const resumed = await probe.listen(primed?.id);
  const question = await resumed.next();
  await probe.post({ id: question?.id, result: ROOTS });

  expect(question?.method).toBe("roots/list");
  expect(await resumed.answer()).toMatchObject({ id: "asked", result: { content: [{ text: "file:///here" }] } });
});

test("the stream of changes goes on in the other process with what was missed", async () => {
  const probe = await open();
  const stream = await probe.listen();
  await stream.nextEvent();
  await stream.leave();
  await (await probe.call("change")).answer();
  await (await probe.call("change")).answer();

  const resumed = await probe.listen(stream.last);

  expect([await methodOf(resumed), await methodOf(resumed)].sort()).toEqual([
    "notifications/prompts/list_changed",
    "notifications/tools/list_changed",
  ]);
  await resumed.leave();
});

test("a stream that a handler closed is polled in the other process", async () => {
  const probe = await open();
  const before = countSaid("holding");
  const calling = await probe.call("poll", "polled");
  const worker = await heard("holding", before + 1);
  expect(await calling.answer()).toBeUndefined();
  worker.release();

  const polled = await probe.listen(calling.last);

  expect(await polled.answer()).toMatchObject({ id: "polled", result: { content: [{ text: "polled" }] } });
});

test("a stream of another session cannot be gone on with", async () => {
  const [probe, stranger] = [await open(), await open()];
  const calling = await probe.call("where");
  await calling.next();

  const refused = [await stranger.listen(calling.last), await stranger.listen(calling.last)];

  expect(refused.map(({ status }) => status)).toEqual([400, 400]);
  await calling.leave();
});

describe("two processes that share keys and a bus, and store no session", () => {
  let minting: RoundRobin;

  beforeAll(async () => {
    const settings = { store: store.port, keys: ["only"], legacy: "minted" } as const;
    const minters = await Promise.all([program.start(settings), program.start(settings)]);
    minting = await startRoundRobin(minters.map(({ port }) => port));
  }, 30_000);

  afterAll(() => minting.close());

  test("know a client by the id that either of them sealed, and take its answers", async () => {
    const probe = new LegacyProbe(minting.url, VERSION);
    await probe.open();

    const calling = await probe.call("greet");
    const question = await calling.next();
    await probe.post({ id: question?.id, result: ACCEPTED });

    expect(question?.method).toBe("elicitation/create");
    expect((await calling.answer())?.result.content[0].text).toBe("Hello, Ada");
  });
});
