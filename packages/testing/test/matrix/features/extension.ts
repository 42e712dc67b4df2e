import { EVERYTHING, type Feature, pick } from "../feature.js";
import { edgeStatusOf, isModern, statusOf } from "../scene.js";
import { ECHO } from "../server/extension.js";

const UNKNOWN = { code: -32601 };

/** What an extension of the server adds, which legacy revisions have no room for. */
export const EXTENSION: readonly Feature[] = [
  {
    name: "a method of an extension is served to who declares it",
    async run({ client }) {
      const { status, result, error } = await client.ask("echo/say", { word: "hi" });
      return { status, ...pick(result, "resultType", "word", "declared"), ...pick(error, "code") };
    },
    seen: (scene) => ({
      status: edgeStatusOf(scene, 200),
      ...(isModern(scene) ? { resultType: "echo", word: "hi", declared: {} } : UNKNOWN),
    }),
  },
  {
    name: "a method of an extension is refused to who does not declare it",
    declares: {},
    async run({ client }) {
      const { status, error } = await client.ask("echo/say", { word: "hi" });
      return { status, ...pick(error, "code", "data") };
    },
    seen: (scene) =>
      isModern(scene)
        ? {
            status: statusOf(scene, 400),
            code: -32021,
            data: { requiredCapabilities: { extensions: { [ECHO]: {} } } },
          }
        : { status: statusOf(scene, 200), ...UNKNOWN },
  },
  {
    name: "settings of extensions are of no use to legacy clients",
    declares: EVERYTHING,
    run: async ({ opened: { result } }) => result.capabilities.extensions,
    seen: (scene) => (isModern(scene) ? { [ECHO]: { loud: true } } : undefined),
  },
];
