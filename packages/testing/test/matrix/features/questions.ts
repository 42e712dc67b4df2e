import type { JsonObject } from "@mortise/server";
import type { Asked, Reply } from "../client.js";
import { type Feature, type Talk, textOf } from "../feature.js";
import { isModern, isSince, type RevisionId, type Scene } from "../scene.js";
import { FORM } from "../server/askers.js";

/** A question of a tool, and its answer. */
interface Put {
  readonly name: string;
  /** The tool that asks. */
  readonly tool: string;
  /** The first revision that can ask this. */
  readonly since: RevisionId;
  readonly answers: readonly JsonObject[];
  /** What the client is asked, whoever it is. */
  asked(scene: Scene): readonly Asked[];
  /** What the tool makes of the answers. */
  readonly text: unknown;
}

const ACCEPTED = { action: "accept", content: { name: "Ada", color: "r" } };
const MESSAGE = {
  role: "assistant",
  content: { type: "text", text: "sure" },
  model: "some-model",
  stopReason: "endTurn",
};
const ROOTS = { roots: [{ uri: "file:///home/ada", name: "home" }] };
const ASK_ROOTS: Asked = { method: "roots/list", params: {} };

const PUT: readonly Put[] = [
  {
    name: "a form is filled in",
    tool: "ask form",
    since: "2025-06-18",
    answers: [ACCEPTED],
    asked: (scene) => [askForm(scene)],
    text: ACCEPTED,
  },
  {
    name: "a form that is not filled in as asked is put again",
    tool: "ask form",
    since: "2025-06-18",
    answers: [{ action: "accept", content: { name: 1 } }, ACCEPTED],
    asked: (scene) => [askForm(scene), askForm(scene)],
    text: ACCEPTED,
  },
  {
    name: "a user who declines is heard",
    tool: "ask form",
    since: "2025-06-18",
    answers: [{ action: "decline" }],
    asked: (scene) => [askForm(scene)],
    text: { action: "decline" },
  },
  {
    name: "a form that a tool cannot do without is filled in",
    tool: "ask needed",
    since: "2025-06-18",
    answers: [ACCEPTED],
    asked: (scene) => [askForm(scene)],
    text: ACCEPTED,
  },
  {
    name: "several choices are made in one field",
    tool: "ask several choices",
    since: "2025-11-25",
    answers: [{ action: "accept", content: { colors: ["r", "g"] } }],
    asked: () => [
      {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Which?",
          requestedSchema: {
            type: "object",
            properties: { colors: { type: "array", items: { type: "string", enum: ["r", "g"] } } },
          },
        },
      },
    ],
    text: { action: "accept", content: { colors: ["r", "g"] } },
  },
  {
    name: "a page is visited",
    tool: "ask page",
    since: "2025-11-25",
    answers: [{ action: "accept" }],
    asked: (scene) => [
      {
        method: "elicitation/create",
        params: {
          mode: "url",
          message: "Sign in",
          url: "https://example.com/sign-in",
          ...(isModern(scene) ? {} : { elicitationId: "visit-1" }),
        },
      },
    ],
    text: { action: "accept" },
  },
  {
    name: "the client's model is asked",
    tool: "ask sample",
    since: "2024-11-05",
    answers: [MESSAGE],
    asked: (scene) => [{ method: "sampling/createMessage", params: { messages: listMessages(scene), maxTokens: 10 } }],
    text: MESSAGE,
  },
  {
    name: "the client's model is given tools",
    tool: "ask sample with tools",
    since: "2025-11-25",
    answers: [MESSAGE],
    asked: () => [
      {
        method: "sampling/createMessage",
        params: {
          messages: [{ role: "user", content: { type: "text", text: "add" } }],
          maxTokens: 10,
          tools: [{ name: "add", inputSchema: { type: "object" } }],
        },
      },
    ],
    text: MESSAGE,
  },
  {
    name: "the client tells its folders",
    tool: "ask roots",
    since: "2024-11-05",
    answers: [ROOTS],
    asked: () => [ASK_ROOTS],
    text: ROOTS,
  },
  {
    name: "a tool asks by returning, and finds its state again",
    tool: "ask explicitly",
    since: "2024-11-05",
    answers: [ROOTS],
    asked: () => [ASK_ROOTS],
    text: { answer: ROOTS, state: { step: 1 } },
  },
];

/** Questions of handlers, and what becomes of their answers. */
export const QUESTIONS: readonly Feature[] = [
  ...PUT.map(toFeature),
  {
    name: "two questions are put at once",
    async run(talk) {
      const { reply, asked } = await answerEach(talk, "ask two", ({ method }) =>
        method === "roots/list" ? ROOTS : MESSAGE,
      );
      return { ...readReply(reply), asked: asked.map(({ method }) => method).sort() };
    },
    seen: (scene) =>
      scene.carries.asks
        ? {
            isError: false,
            text: { draft: MESSAGE, where: ROOTS },
            asked: ["roots/list", "sampling/createMessage"],
          }
        : { isError: true, text: undefined, asked: [] },
  },
  {
    name: "a handler runs again where its revision leaves no other way, or always",
    async run(talk) {
      await answerEach(talk, "ask roots", () => ROOTS);
      return talk.stage.runs.get("ask roots");
    },
    seen: (scene) => (scene.carries.asks && (isModern(scene) || scene.replay === "always") ? 2 : 1),
  },
  {
    name: "what a handler does once, and what it reported before it asked, does not happen again",
    async run({ client, stage }) {
      client.respond = () => ROOTS;
      await client.call("ask on the way", {}, { meta: { progressToken: 1 } });
      return { counted: stage.runs.get("on the way"), progress: client.notices.map(({ params }) => params.progress) };
    },
    seen: ({ carries: { asks } }) => ({ counted: 1, progress: asks ? [1, 2] : [1] }),
  },
  {
    name: "a handler knows what it can ask",
    run: async ({ client }) => textOf(await client.call("abilities")),
    seen: (scene) =>
      ABILITIES.filter(([, since]) => scene.carries.asks && isSince(scene, since))
        .map(([ability]) => ability)
        .join(" "),
  },
];

const ABILITIES: readonly (readonly [string, RevisionId])[] = [
  ["elicit.form", "2025-06-18"],
  ["elicit.url", "2025-11-25"],
  ["sample", "2024-11-05"],
  ["sample.tools", "2025-11-25"],
  ["roots", "2024-11-05"],
];

/** What cannot be put is an error that the model reads. */
function toFeature({ name, tool, since, answers, asked, text }: Put): Feature {
  return {
    name,
    async run(talk) {
      const left = [...answers];
      const seen = await answerEach(talk, tool, () => left.shift() ?? { action: "cancel" });
      return { ...readReply(seen.reply), asked: seen.asked };
    },
    seen: (scene) =>
      scene.carries.asks && isSince(scene, since)
        ? { isError: false, text, asked: asked(scene) }
        : { isError: true, text: undefined, asked: [] },
  };
}

async function answerEach(
  { client }: Talk,
  tool: string,
  respond: (asked: Asked) => JsonObject,
): Promise<{ readonly reply: Reply; readonly asked: readonly Asked[] }> {
  client.respond = respond;
  return { reply: await client.call(tool, {}), asked: client.asked };
}

/** Tools that ask tell the answers as JSON; the wording of a failure is nobody's business. */
function readReply(reply: Reply): JsonObject {
  const isError = reply.result?.isError === true;
  return { isError, text: isError ? undefined : JSON.parse(textOf(reply) ?? "null") };
}

/** Before 2025-11-25 a choice has names beside its values, only booleans have defaults, and a form does not say that it is one. */
function askForm(scene: Scene): Asked {
  const { name, color, times, agreed } = FORM.properties;
  const rich = isSince(scene, "2025-11-25");
  const oldFields = {
    name,
    color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
    times: { type: "integer" },
    agreed,
  };
  return {
    method: "elicitation/create",
    params: {
      ...(rich ? { mode: "form" } : {}),
      message: "Who?",
      requestedSchema: {
        type: "object",
        properties: rich ? { name, color, times, agreed } : oldFields,
        required: ["name"],
      },
    },
  };
}

/** Before 2025-11-25 a message has one block. */
function listMessages(scene: Scene): readonly JsonObject[] {
  const blocks = ["one", "two"].map((text) => ({ type: "text", text }));
  if (isSince(scene, "2025-11-25")) return [{ role: "user", content: blocks }];
  return blocks.map((content) => ({ role: "user", content }));
}
