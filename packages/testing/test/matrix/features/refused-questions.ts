import { EVERYTHING, type Feature, pick } from "../feature.js";
import { isModern, type Scene, statusOf } from "../scene.js";

/** What a modern client is told that did not declare an ability. */
function lacking(scene: Scene, requiredCapabilities: object): object {
  return { status: statusOf(scene, 400), code: -32021, data: { requiredCapabilities } };
}

function toolFeature(name: string, tool: string, requiredCapabilities: object): Feature {
  return {
    name,
    declares: {},
    async run({ client, stage }) {
      const { status, result, error } = await client.call(tool, {});
      const ran = stage.runs.get(tool) ?? 0;
      return error === undefined
        ? { status, isError: result.isError, ran, asked: client.asked }
        : { status, ...pick(error, "code", "data"), ran, asked: client.asked };
    },
    seen(scene) {
      const common = { ran: tool === "ask needed" ? 0 : 1, asked: [] };
      return isModern(scene)
        ? { ...lacking(scene, requiredCapabilities), ...common }
        : { status: statusOf(scene, 200), isError: true, ...common };
    },
  };
}

function otherFeature(name: string, method: string, params: Record<string, string>): Feature {
  return {
    name,
    declares: {},
    async run({ client }) {
      const { status, error } = await client.ask(method, params);
      return { status, ...pick(error, "code", "data") };
    },
    seen: (scene) => (isModern(scene) ? lacking(scene, { roots: {} }) : { status: statusOf(scene, 200), code: -32602 }),
  };
}

/** Clients that cannot be asked. */
export const REFUSED_QUESTIONS: readonly Feature[] = [
  toolFeature("a tool asks a client that shows no forms", "ask form", { elicitation: { form: {} } }),
  toolFeature("a tool that needs forms does not run for a client that shows none", "ask needed", {
    elicitation: { form: {} },
  }),
  toolFeature("a tool asks a client that opens no pages", "ask page", { elicitation: { url: {} } }),
  toolFeature("a tool asks a client that has no model", "ask sample", { sampling: {} }),
  toolFeature("a tool asks a client that has no folders", "ask roots", { roots: {} }),
  otherFeature("a prompt asks a client that has no folders", "prompts/get", { name: "asked" }),
  otherFeature("a resource asks a client that has no folders", "resources/read", { uri: "memo://asked" }),
  {
    name: "a client that says nothing of modes shows forms, and opens no pages",
    declares: { ...EVERYTHING, elicitation: {} },
    async run({ client }) {
      client.respond = () => ({ action: "decline" });
      const form = await client.call("ask form", {});
      const page = await client.call("ask page", {});
      return [form, page].map(({ result, error }) => error?.code ?? result.isError ?? false);
    },
    seen(scene) {
      if (isModern(scene)) return [false, -32021];
      return [!(scene.carries.asks && scene.revision >= "2025-06-18"), true];
    },
  },
];
