import type { Verifier } from "@mortise/http";
import { MCPServer, type ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { ADAPTERS, type Mounted } from "./adapters.js";
import { modern } from "./fixture.js";

const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const ABLE = { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
const KEYS = { state: { keys: [{ id: "a", key: new Uint8Array(32).fill(1) }] } };
const BY_TOKEN: Verifier = { verify: ({ header }) => ({ principal: header("authorization") ?? "nobody" }) };

function createServer(options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0", onWarning: () => undefined, ...options });
  server.tool("greet", {}, async (_, { elicit, principal }) => {
    const answer = await elicit({ message: `Who are you, ${principal}?`, schema: NAME, key: "name" });
    return answer.action === "accept" ? `Hello, ${answer.content.name} (${principal})` : answer.action;
  });
  server.tool("report", {}, async (_, { elicit, progress }) => {
    await progress(1);
    await elicit({ message: "Who?", schema: NAME, key: "name" });
    await progress(2);
    return "done";
  });
  return server;
}

interface Call {
  readonly name?: string;
  readonly more?: object;
  readonly meta?: object;
  readonly token?: string;
}

async function call(mounted: Mounted, { name = "greet", more = {}, meta = ABLE, token = "ada" }: Call = {}) {
  const headers = { authorization: token };
  const { status, body } = await mounted.send(
    modern("tools/call", { name, arguments: {}, ...more }, { meta, headers }),
  );
  const events = body.startsWith("{") ? [body] : body.split("\n").flatMap((line) => line.split("data: ")[1] ?? []);
  return { status, messages: events.map((event) => JSON.parse(event)) };
}

function answer(state: string, name: string): object {
  return { inputResponses: { name: { action: "accept", content: { name } } }, requestState: state };
}

describe.each(ADAPTERS)("$name", (adapter) => {
  test("tells of an undeclared ability with status 400, while no stream has begun", async () => {
    const mounted = await adapter.mount(createServer());

    const { status, messages } = await call(mounted, { meta: {} });
    await mounted.close();

    expect(status).toBe(400);
    expect(messages).toMatchObject([
      { id: 1, error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } } },
    ]);
  });

  test("tells of an undeclared ability on the stream, once it has begun", async () => {
    const mounted = await adapter.mount(createServer());

    const { status, messages } = await call(mounted, { name: "report", meta: { progressToken: 1 } });
    await mounted.close();

    expect(status).toBe(200);
    expect(messages).toMatchObject([{ params: { progress: 1 } }, { error: { code: -32021 } }]);
  });

  test("asks on the stream of a call that reports, and reports the rest in the next round", async () => {
    const mounted = await adapter.mount(createServer());
    const meta = { ...ABLE, progressToken: 1 };

    const first = await call(mounted, { name: "report", meta });
    const state = first.messages[1].result.requestState;
    const second = await call(mounted, { name: "report", meta, more: answer(state, "Ada") });
    await mounted.close();

    expect(first.messages).toMatchObject([{ params: { progress: 1 } }, { result: { resultType: "input_required" } }]);
    expect(second.messages).toMatchObject([{ params: { progress: 2 } }, { result: { resultType: "complete" } }]);
  });

  test("takes the answer in another process with the same key", async () => {
    const [one, other] = await Promise.all([adapter.mount(createServer(KEYS)), adapter.mount(createServer(KEYS))]);

    const first = await call(one);
    const second = await call(other, { more: answer(first.messages[0].result.requestState, "Ada") });
    await Promise.all([one.close(), other.close()]);

    expect(second.messages[0].result.content[0].text).toBe("Hello, Ada (undefined)");
  });

  test("keeps callers that use the same id apart", async () => {
    const mounted = await adapter.mount(createServer(), { auth: BY_TOKEN });
    const tokens = Array.from({ length: 50 }, (_, index) => `caller-${index}`);

    const greetings = await Promise.all(
      tokens.map(async (token) => {
        const [first] = (await call(mounted, { token })).messages;
        expect(first.result.inputRequests.name.params.message).toBe(`Who are you, ${token}?`);
        const [second] = (await call(mounted, { token, more: answer(first.result.requestState, token) })).messages;
        return second.result.content[0].text;
      }),
    );
    await mounted.close();

    expect(greetings).toEqual(tokens.map((token) => `Hello, ${token} (${token})`));
  });

  test("refuses an answer with another caller's state", async () => {
    const mounted = await adapter.mount(createServer(), { auth: BY_TOKEN });

    const first = await call(mounted);
    const more = answer(first.messages[0].result.requestState, "Eve");
    const second = await call(mounted, { token: "eve", more });
    await mounted.close();

    expect(second.messages).toMatchObject([{ error: { code: -32602 } }]);
  });

  test.each([
    ["null", { inputResponses: null }],
    ["a list", { inputResponses: [] }],
  ])("refuses answers that are %s with status 400", async (_, more) => {
    const mounted = await adapter.mount(createServer());

    const { status, messages } = await call(mounted, { more });
    await mounted.close();

    expect([status, messages[0].error.code]).toEqual([400, -32602]);
  });
});
