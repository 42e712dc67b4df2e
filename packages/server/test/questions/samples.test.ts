import type { JsonObject } from "@mortise/core";
import type { Sample } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { createServer, reply, send, textOf } from "./modern-client.js";

const TEXT = { type: "text", text: "Hi" } as const;
const SOUND = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const;
const USE = { type: "tool_use", id: "1", name: "weather", input: {} } as const;
const OUTCOME = { type: "tool_result", toolUseId: "1", content: [{ type: "text", text: "Rain" }] } as const;
const TOOL = { name: "weather", inputSchema: { type: "object" } };
const SAMPLE: Sample = { messages: [{ role: "user", content: TEXT }], maxTokens: 10 };
const MESSAGE = { role: "assistant", content: { type: "text", text: "Hello" }, model: "m", stopReason: "endTurn" };

function createAsking(question: unknown) {
  const created = createServer();
  created.server.tool("ask", {}, async (_, { sample }) => JSON.stringify(await sample(question as Sample)));
  return created;
}

async function putTo(version: string, question: Sample, capabilities: JsonObject = { sampling: { tools: {} } }) {
  const { server } = createAsking(question);
  const client = openLegacy(server, () => ({ result: MESSAGE }), { version, capabilities });
  await client.call();
  return client.put[0]?.params;
}

describe("a question to the client's model", () => {
  test("is put with everything that the protocol has, and nothing else", async () => {
    const question = {
      ...SAMPLE,
      systemPrompt: "Be kind",
      modelPreferences: { hints: [{ name: "m" }], costPriority: 0.3 },
      includeContext: "thisServer",
      temperature: 0.1,
      stopSequences: ["."],
      metadata: { a: 1 },
      tools: [TOOL],
      toolChoice: { mode: "required" },
    };
    const { server } = createAsking({ ...question, key: "model", unknown: 1 });

    expect((await send(server)).result.inputRequests.model).toEqual({
      method: "sampling/createMessage",
      params: question,
    });
  });

  test.each([
    ["one block", MESSAGE],
    ["several blocks", { ...MESSAGE, content: [TEXT, USE] }],
    ["no reason to stop", { role: "assistant", content: TEXT, model: "m" }],
  ])("is answered with a message of %s", async (_, message) => {
    const { server } = createAsking(SAMPLE);

    const second = await reply(server, await send(server), () => ({ ...message, extra: 1 }));

    expect(JSON.parse(textOf(second) ?? "")).toEqual(message);
  });

  test.each([
    ["no model", { role: "assistant", content: TEXT }],
    ["no content", { role: "assistant", model: "m" }],
    ["a block without its text", { role: "assistant", content: { type: "text" }, model: "m" }],
    ["content that is text", { role: "assistant", content: "Hello", model: "m" }],
    ["another role", { role: "system", content: TEXT, model: "m" }],
    ["a form's answer", { action: "accept", content: {} }],
  ])("is asked again when the answer is %s", async (_, message) => {
    const { server } = createAsking(SAMPLE);

    expect((await reply(server, await send(server), () => message)).result.resultType).toBe("input_required");
  });

  test.each([
    ["no messages", { ...SAMPLE, messages: [] }],
    ["messages that are text", { ...SAMPLE, messages: "Hi" }],
    ["a message of the wrong role", { ...SAMPLE, messages: [{ role: "system", content: TEXT }] }],
    ["a message that is text", { ...SAMPLE, messages: [{ role: "user", content: "Hi" }] }],
    ["a block without its text", { ...SAMPLE, messages: [{ role: "user", content: { type: "text" } }] }],
    ["a block that no model takes", { ...SAMPLE, messages: [{ role: "user", content: { type: "resource_link" } }] }],
    ["a result that is text", { ...SAMPLE, messages: [{ role: "user", content: { ...OUTCOME, content: "Rain" } }] }],
    ["a prompt of the wrong type", { ...SAMPLE, systemPrompt: 5 }],
    ["a temperature of the wrong type", { ...SAMPLE, temperature: "hot" }],
    ["a stop that is text", { ...SAMPLE, stopSequences: "." }],
    ["preferences that are text", { ...SAMPLE, modelPreferences: "cheap" }],
    ["a context that does not exist", { ...SAMPLE, includeContext: "everything" }],
    ["a choice of tools that is text", { ...SAMPLE, tools: [TOOL], toolChoice: "auto" }],
    ["metadata that are text", { ...SAMPLE, metadata: "x" }],
    ["no limit", { messages: SAMPLE.messages }],
    ["a limit of nothing", { ...SAMPLE, maxTokens: 0 }],
    ["a tool without a schema", { ...SAMPLE, tools: [{ name: "weather" }] }],
    ["a tool's use without its result", { ...SAMPLE, messages: [{ role: "assistant", content: USE }] }],
    [
      "a tool's result beside other content",
      {
        ...SAMPLE,
        messages: [
          { role: "assistant", content: [USE] },
          { role: "user", content: [OUTCOME, TEXT] },
        ],
      },
    ],
    ["a result of nothing", { ...SAMPLE, messages: [{ role: "user", content: [OUTCOME] }] }],
  ])("is not put with %s", async (_, question) => {
    const { server, errors } = createAsking(question);

    expect((await send(server)).result.isError).toBe(true);
    expect(errors).toMatchObject([{ code: "invalid_options" }]);
  });

  test("may show what tools were used for", async () => {
    const { server } = createAsking({
      ...SAMPLE,
      messages: [
        { role: "user", content: TEXT },
        { role: "assistant", content: [USE] },
        { role: "user", content: [OUTCOME] },
      ],
      tools: [TOOL],
    });

    expect((await send(server)).result.resultType).toBe("input_required");
  });
});

describe("on legacy revisions", () => {
  test("messages have one block each before 2025-11-25", async () => {
    const question = { ...SAMPLE, messages: [{ role: "user", content: [TEXT, SOUND] }] } as const;

    expect((await putTo("2025-11-25", question))?.messages).toEqual(question.messages);
    expect((await putTo("2025-06-18", question))?.messages).toEqual([
      { role: "user", content: TEXT },
      { role: "user", content: SOUND },
    ]);
  });

  test("a client of 2024-11-05 is told of sound that it cannot take", async () => {
    const params = await putTo("2024-11-05", { ...SAMPLE, messages: [{ role: "user", content: SOUND }] });

    expect(params?.messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
  });

  test.each([
    ["2025-11-25", { sampling: {} }, undefined],
    ["2025-11-25", { sampling: { context: {} } }, "allServers"],
    ["2025-06-18", { sampling: {} }, "allServers"],
  ])("context is asked of clients that have it: %s, %j", async (version, capabilities, expected) => {
    const params = await putTo(version, { ...SAMPLE, includeContext: "allServers" }, capabilities);

    expect(params?.includeContext).toBe(expected);
  });

  test("no context is asked for of anybody", async () => {
    expect((await putTo("2025-11-25", { ...SAMPLE, includeContext: "none" }))?.includeContext).toBe("none");
  });

  const used: Sample = {
    ...SAMPLE,
    messages: [
      { role: "assistant", content: USE },
      { role: "user", content: OUTCOME },
    ],
  };

  test.each([
    ["offered", { ...SAMPLE, tools: [TOOL] }],
    ["used", used],
  ])("tools that are %s need a client of 2025-11-25 that knows them", async (_, question) => {
    expect(await putTo("2025-06-18", question)).toBeUndefined();
    expect(await putTo("2025-11-25", question, { sampling: {} })).toBeUndefined();
    expect(await putTo("2025-11-25", question)).toBeDefined();
  });
});

describe("the client's folders", () => {
  const ROOTS = { roots: [{ uri: "file:///work", name: "Work" }] };

  test.each(["2025-11-25", "2024-11-05"])("are asked for on %s", async (version) => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { listRoots }) => JSON.stringify(await listRoots()));
    const client = openLegacy(server, () => ({ result: ROOTS }), { version });

    expect(JSON.parse(textOf(await client.call()) ?? "")).toEqual(ROOTS);
    expect(client.put).toMatchObject([{ method: "roots/list" }]);
  });

  test.each([{}, { roots: {} }, { roots: [{ name: "Work" }] }])(
    "are asked for again when the answer is %j",
    async (answer) => {
      const { server } = createServer();
      server.tool("ask", {}, async (_, { listRoots }) => JSON.stringify(await listRoots({ key: "where" })));

      const first = await send(server);

      expect(first.result.inputRequests.where).toEqual({ method: "roots/list" });
      expect((await reply(server, first, () => answer)).result.resultType).toBe("input_required");
    },
  );
});
