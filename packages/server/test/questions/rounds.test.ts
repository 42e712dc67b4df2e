import type { ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import type { Answer } from "../eras.js";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

function createAsking(options = {}) {
  const created = createServer(options);
  created.server.tool("ask", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "Who are you?", schema: NAME_SCHEMA, key: "user_name" });
    return answer.action === "accept" ? `Hello, ${answer.content.name}!` : `You ${answer.action}.`;
  });
  return created;
}

describe("an answer", () => {
  test.each(["decline", "cancel"])("of %s reaches the handler, without content", async (action) => {
    const { server } = createAsking();

    const second = await reply(server, await send(server), () => ({ action, content: { name: 7 } }));

    expect(textOf(second)).toBe(`You ${action}.`);
  });

  test.each([
    ["a number", 12345],
    ["null", null],
    ["an array", []],
    ["an object without an action", {}],
    ["an unknown action", { action: "yes" }],
    ["content of the wrong type", accept({ name: 5 })],
    ["no content", accept()],
    ["content that is no object", { action: "accept", content: "Ada" }],
  ])("that is %s is asked for again", async (_, response) => {
    const { server } = createAsking();

    const { result } = await reply(server, await send(server), () => response);

    expect(result.resultType).toBe("input_required");
    expect(Object.keys(result.inputRequests)).toEqual(["user_name"]);
  });

  test("to something else leaves the question open", async () => {
    const { server } = createAsking();
    const { result } = await send(server);

    const second = await send(server, {
      responses: { wrong_key: accept({ name: "Ada" }) },
      state: result.requestState,
    });

    expect(Object.keys(second.result.inputRequests)).toEqual(["user_name"]);
  });

  test("may come with others that nobody asked for", async () => {
    const { server } = createAsking();
    const { result } = await send(server);
    const responses = { user_name: accept({ name: "Ada" }), extra: accept({ foo: 1 }), other: 7 };

    expect(textOf(await send(server, { responses, state: result.requestState }))).toBe("Hello, Ada!");
  });

  test("that comes without being asked for saves a round", async () => {
    const { server } = createAsking();

    const first = await send(server, { responses: { user_name: accept({ name: "Ada" }), extra: 1 } });

    expect(textOf(first)).toBe("Hello, Ada!");
  });

  test("cannot be changed afterwards", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { elicit }) => {
      const one = await elicit({ message: "One?", schema: NAME_SCHEMA, key: "one" });
      const two = await elicit({ message: "Two?", schema: NAME_SCHEMA, key: "two" });
      return JSON.stringify([one, two]);
    });
    const second = await reply(server, await send(server), () => accept({ name: "first" }));
    const responses = { one: accept({ name: "changed" }), two: accept({ name: "second" }) };

    const third = await send(server, { responses, state: second.result.requestState });

    expect(JSON.parse(textOf(third) ?? "")).toEqual([accept({ name: "first" }), accept({ name: "second" })]);
  });
});

describe("params that are no answers", () => {
  test.each([
    ["answers that are null", { responses: null }],
    ["answers in an array", { responses: [] }],
    ["answers that are text", { responses: "yes" }],
    ["a state that is a number", { state: 5 }],
    ["a state that is null", { state: null }],
  ])("are refused: %s", async (_, round) => {
    const { server } = createAsking();

    expect((await send(server, round)).error).toMatchObject({ code: -32602 });
  });

  test("are no business of requests that cannot be answered with a question", async () => {
    const { server } = createAsking();

    const { result } = await send(server, { method: "tools/list", params: {}, responses: null, state: 7 });

    expect(result.tools).toHaveLength(1);
  });
});

describe("eight rounds", () => {
  async function insist(first: Answer, again: (answer: Answer) => Promise<Answer>): Promise<readonly unknown[]> {
    const seen: unknown[] = [first.result.resultType];
    let answer = first;
    while (answer.error === undefined && seen.length < 20) {
      answer = await again(answer);
      seen.push(answer.error?.code ?? answer.result.resultType);
    }
    return seen;
  }

  test("without a valid answer end the call with an error", async () => {
    const { server, errors } = createAsking();

    const seen = await insist(await send(server), (answer) => reply(server, answer, () => 5));

    expect(seen).toEqual([...Array(8).fill("input_required"), -32602]);
    expect(errors).toMatchObject([{ code: "input_required" }]);
  });

  test("in which a handler asks something else each time end the call, too", async () => {
    const { server } = createServer();
    let runs = 0;
    server.tool("ask", {}, async (_, { elicit }) => {
      runs += 1;
      await elicit({ message: `Question ${runs}?`, schema: NAME_SCHEMA });
      return "done";
    });

    const seen = await insist(await send(server), (answer) => reply(server, answer, () => accept({ name: "Ada" })));

    expect(seen).toEqual([...Array(8).fill("input_required"), -32602]);
  });
});

describe("a handler that changes its arguments", () => {
  const input = { type: "object" } as const;
  const params = { name: "ask", arguments: { tags: ["a"] } };
  const prompt = { method: "prompts/get", params: { name: "ask", arguments: { tag: "a" } } };

  function createChanging(options: Partial<ServerOptions> = {}) {
    const { server } = createServer(options);
    server.tool("ask", { input }, async (args, { elicit }) => {
      (args.tags as string[]).push("b");
      const { action } = await elicit({ message: "Who?", schema: NAME_SCHEMA });
      return `${action} ${args.tags}`;
    });
    server.prompt("ask", { input: [{ name: "tag" }] }, async (args, { elicit }) => {
      args.tag += "b";
      const { action } = await elicit({ message: "Who?", schema: NAME_SCHEMA });
      return `${action} ${args.tag}`;
    });
    return server;
  }

  test("finds them as they were sent when it runs again", async () => {
    const server = createChanging();
    const decline = (): unknown => ({ action: "decline" });

    const tool = await reply(server, await send(server, { params }), decline, { params });
    const got = await reply(server, await send(server, prompt), decline, prompt);

    expect(textOf(tool)).toBe("decline a,b");
    expect(got.result.messages[0].content.text).toBe("decline ab");
  });

  test("finds them so on legacy revisions, too", async () => {
    const server = createChanging({ replay: "always" });
    const client = openLegacy(server, () => ({ result: { action: "decline" } }));

    expect(textOf(await client.call("ask", { tags: ["a"] }))).toBe("decline a,b");
    expect((await client.ask("prompts/get", prompt.params)).result.messages[0].content.text).toBe("decline ab");
  });
});
