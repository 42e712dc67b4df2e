import { type JsonObject, MCPServer } from "@mortise/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AskOptions, DOORS, type Door, type Talk } from "./doors.js";
import { addJobs, JOBS } from "./jobs-extension.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const KNOWS: AskOptions = { extensions: { [JOBS]: {} } };

/** A server with the extension, and what its tool waits for. */
function createServer(): { readonly server: MCPServer; readonly errors: unknown[]; release(text: string): void } {
  const errors: unknown[] = [];
  const server = new MCPServer({
    name: "test",
    version: "1",
    state: { keys: [{ id: "test", key: new Uint8Array(32) }] },
    onError: (error) => errors.push(error),
  });
  let release = (_: string): void => undefined;
  const released = new Promise<string>((resolve) => {
    release = resolve;
  });
  const input = { type: "object" } as const;
  for (const name of ["quick", "decorated", "jobs-only"]) server.tool(name, { input }, () => "done at once");
  server.tool("ask", { input }, async (_, context) => {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
    const answer = await context.elicit({ message: "Who?", schema: requestedSchema, key: "who" });
    return answer.action === "accept" ? `Hello, ${answer.content.name}!` : answer.action;
  });
  server.tool("broken", { input }, () => {
    throw new TypeError("it broke");
  });
  server.tool("slow", { input }, async (_, context) => {
    await context.progress(1, 2);
    const aborted = new Promise<string>((_, reject) => {
      context.signal.addEventListener("abort", () => reject(context.signal.reason));
    });
    return Promise.race([released, aborted]);
  });
  addJobs(server);
  return { server, errors, release: (text) => release(text) };
}

async function resultOf(talk: Talk): Promise<JsonObject> {
  const message = await talk.next();
  if (message.error !== undefined) throw new Error(JSON.stringify(message.error));
  return message.result as JsonObject;
}

/** What the first notice says that tells of this status. */
async function noticeOf(talk: Talk, status: string): Promise<JsonObject> {
  for (;;) {
    const params = (await talk.next()).params as JsonObject;
    if (params.status === status) return params;
  }
}

describe.each(DOORS)("an extension behind %s", (_, openDoor) => {
  let fixture: ReturnType<typeof createServer>;
  let door: Door;

  beforeEach(async () => {
    fixture = createServer();
    door = await openDoor(fixture.server);
  });
  afterEach(async () => {
    await fixture.server.close();
    await door.close();
  });

  /** Calls a tool with the headers of a good client. */
  const call = (name: string, options: AskOptions = {}): Promise<Talk> =>
    door.ask("tools/call", { name, arguments: {} }, { mirrored: name, ...options });

  async function startJob(name = "slow", options: AskOptions = KNOWS): Promise<string> {
    return (await resultOf(await call(name, options))).jobId as string;
  }

  const getJob = async (jobId: string): Promise<JsonObject> =>
    resultOf(await door.ask("jobs/get", { jobId }, { ...KNOWS, mirrored: jobId }));

  /** Opens a stream of changes, past its acknowledgement. */
  async function listenTo(jobIds: unknown): Promise<{ readonly talk: Talk; readonly granted: unknown }> {
    const talk = await door.ask("subscriptions/listen", { notifications: { jobIds } }, KNOWS);
    const { params } = (await talk.next()) as { params: { notifications: unknown } };
    return { talk, granted: params.notifications };
  }

  test("is discovered with its settings", async () => {
    const { capabilities } = await resultOf(await door.ask("server/discover"));

    expect(capabilities).toMatchObject({ extensions: { [JOBS]: { longest: 60 } } });
  });

  test("answers its methods with complete results, and notices on the way", async () => {
    const talk = await door.ask("jobs/echo", { text: "hi" }, { extensions: { [JOBS]: { a: 1 } }, progressToken: "p" });

    expect(await talk.next()).toMatchObject({ method: "notifications/progress", params: { progressToken: "p" } });
    expect(await resultOf(talk)).toMatchObject({
      resultType: "complete",
      rest: { text: "hi" },
      declared: { a: 1 },
      version: "2026-07-28",
    });
  });

  test.each([
    ["nothing", undefined],
    ["another extension", { "com.example/other": {} }],
    ["it, but not as an object", { [JOBS]: true }],
  ])("refuses clients that declare %s", async (_, extensions) => {
    const options = { mirrored: "1", ...(extensions === undefined ? {} : { extensions }) };

    const talk = await door.ask("jobs/get", { jobId: "1" }, options);

    expect([400, undefined]).toContain(talk.status);
    expect(await talk.next()).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [JOBS]: {} } } } },
    });
  });

  test("has methods that are read by its own rules", async () => {
    expect(await (await door.ask("jobs/get", { jobId: 5 }, KNOWS)).next()).toMatchObject({ error: { code: -32602 } });
    expect(await (await door.ask("jobs/get", { jobId: "5" }, { ...KNOWS, mirrored: "5" })).next()).toMatchObject({
      error: { code: -32602 },
    });
    expect(await (await door.ask("jobs/list", {}, KNOWS)).next()).toMatchObject({ error: { code: -32601 } });
  });

  test("answers a call of a tool with a result type of its own, while the tool goes on", async () => {
    const started = await resultOf(await call("slow", { ...KNOWS, progressToken: "p" }));

    expect(started).toMatchObject({ resultType: "job", status: "working", jobId: expect.any(String) });
    const jobId = started.jobId as string;
    expect(await getJob(jobId)).toMatchObject({ resultType: "complete", status: "working" });

    fixture.release("hello");
    const { talk } = await listenTo([jobId]);
    if ((await getJob(jobId)).status !== "done") await talk.next();
    expect(await getJob(jobId)).toMatchObject({
      status: "done",
      reported: 1,
      result: { resultType: "complete", content: [{ type: "text", text: "hello" }] },
    });
    talk.leave();
  });

  test("hands on what a tool asks after its request was answered, and runs it again with the answer", async () => {
    const jobId = await startJob("ask", { ...KNOWS, capabilities: { elicitation: {} } });
    const { talk } = await listenTo([jobId]);
    let job = await getJob(jobId);
    for (; job.status === "working"; job = await getJob(jobId)) await talk.next();
    const answers = { jobId, inputResponses: { who: { action: "accept", content: { name: "Zoë" } } } };

    await door.ask("jobs/answer", answers, { ...KNOWS, mirrored: jobId });

    expect(job.inputRequests).toMatchObject({ who: { method: "elicitation/create", params: { message: "Who?" } } });
    expect(await noticeOf(talk, "done")).toMatchObject({
      about: jobId,
      result: { content: [{ text: "Hello, Zoë!" }] },
    });
    talk.leave();
  });

  test("lets a tool ask on, where the call is not its own", async () => {
    const talk = await call("ask", { capabilities: { elicitation: {} } });

    expect(await resultOf(talk)).toMatchObject({ resultType: "input_required", inputRequests: { who: {} } });
  });

  test("answers clients that do not know it as if it were not there", async () => {
    const talk = await call("quick");

    expect(await resultOf(talk)).toMatchObject({ resultType: "complete", content: [{ text: "done at once" }] });
  });

  test("can demand that a client knows it before a tool runs", async () => {
    const talk = await call("jobs-only");

    expect([400, undefined]).toContain(talk.status);
    expect(await talk.next()).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [JOBS]: {} } } } },
    });
  });

  test("changes the result of a tool", async () => {
    expect(await resultOf(await call("decorated", KNOWS))).toMatchObject({
      content: [{ text: "done at once" }],
      _meta: { "com.example/decorated": "decorated" },
    });
  });

  test("receives what a tool fails with as a result, and an unknown tool never", async () => {
    const jobId = await startJob("broken");
    const { talk } = await listenTo([jobId]);
    if ((await getJob(jobId)).status === "working") await talk.next();

    expect(await getJob(jobId)).toMatchObject({ status: "done", result: { isError: true } });
    expect(await (await call("none", KNOWS)).next()).toMatchObject({ error: { code: -32602 } });
    talk.leave();
  });

  test("ends the tool through the tool's own signal", async () => {
    const jobId = await startJob();
    const { talk } = await listenTo([jobId]);

    await door.ask("jobs/cancel", { jobId }, { ...KNOWS, mirrored: jobId });

    expect(await talk.next()).toMatchObject({ params: { status: "cancelled" } });
    expect(fixture.errors).toEqual([]);
    talk.leave();
  });

  test("tells listeners of what they may know, tied to their subscription", async () => {
    const jobId = await startJob();
    const { talk, granted } = await listenTo([jobId, "foreign"]);

    fixture.release("hello");

    expect(granted).toEqual({ jobIds: [jobId, "foreign"] });
    expect(await talk.next()).toMatchObject({
      method: "notifications/jobs",
      params: { _meta: { [SUBSCRIPTION]: 1 }, about: jobId, status: "done" },
    });
    talk.leave();
  });

  test("grants nothing to listeners that ask for nothing of theirs, or do not know it", async () => {
    const jobId = await startJob();

    const { talk, granted } = await listenTo(["foreign"]);
    const other = await door.ask("subscriptions/listen", { notifications: { jobIds: [jobId] } });

    expect(granted).toEqual({});
    expect(await other.next()).toMatchObject({ params: { notifications: {} } });
    talk.leave();
    other.leave();
  });

  test("refuses a filter that it cannot read", async () => {
    const talk = await door.ask("subscriptions/listen", { notifications: { jobIds: 5 } }, KNOWS);

    expect(await talk.next()).toMatchObject({ error: { code: -32602 } });
  });
});

describe.each(DOORS.filter(([name]) => name !== "a pipe"))("the headers of an extension behind %s", (_, openDoor) => {
  test.each([
    ["is missing", undefined],
    ["differs", "other"],
  ])("are refused where the name %s", async (_, mirrored) => {
    const { server } = createServer();
    const door = await openDoor(server);

    const talk = await door.ask("jobs/get", { jobId: "one" }, { ...KNOWS, mirrored });

    expect(talk.status).toBe(400);
    expect(await talk.next()).toMatchObject({ error: { code: -32020 } });
    await door.close();
    await server.close();
  });
});
