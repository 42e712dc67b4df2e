import { type Feature, pick } from "../feature.js";
import { isModern, isSince, type Scene } from "../scene.js";
import { ECHO } from "../server/extension.js";

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** What clients learn first. */
export const OPENING: readonly Feature[] = [
  {
    name: "a client learns who the server is, as far as its revision has words for it",
    run: async ({ opened: { result }, scene }) => (isModern(scene) ? result._meta[SERVER_INFO] : result.serverInfo),
    seen: (scene) => ({
      name: "stage",
      version: "1.0.0",
      ...(isSince(scene, "2025-06-18") ? { title: "The stage" } : {}),
      ...(isSince(scene, "2025-11-25")
        ? {
            description: "Has one of everything",
            websiteUrl: "https://example.com/",
            icons: [{ src: "https://example.com/icon.png" }],
          }
        : {}),
    }),
  },
  {
    name: "a client learns which versions there are, or which one was agreed on",
    run: async ({ opened: { result } }) => pick(result, "protocolVersion", "supportedVersions", "instructions"),
    seen: (scene) => ({
      instructions: "Try everything",
      ...(isModern(scene)
        ? { supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] }
        : { protocolVersion: scene.revision }),
    }),
  },
  {
    name: "only what can be delivered is declared",
    run: async ({ opened: { result } }) => result.capabilities,
    seen(scene) {
      const { announces } = scene.carries;
      const list = announces ? { listChanged: true } : {};
      return {
        tools: list,
        prompts: list,
        resources: { ...list, ...(mayWatch(scene) ? { subscribe: true } : {}) },
        logging: {},
        ...(isSince(scene, "2025-03-26") ? { completions: {} } : {}),
        ...(isModern(scene) ? { extensions: { [ECHO]: { loud: true } } } : {}),
      };
    },
  },
  {
    name: "what is cached, and by whom, is said to modern clients alone",
    run: async ({ opened: { result }, client }) => [
      pick(result, "resultType", "ttlMs", "cacheScope"),
      pick((await client.ask("tools/list")).result, "resultType", "ttlMs", "cacheScope"),
    ],
    seen(scene) {
      const hint = { resultType: "complete", ttlMs: 60_000, cacheScope: "public" };
      return isModern(scene) ? [hint, hint] : [{}, {}];
    },
  },
  {
    name: "a client can ask whether the server is there, where its revision has a word for it",
    run: async ({ client }) => {
      const { result, error } = await client.ask("ping");
      return { result, code: error?.code };
    },
    seen: (scene) => (isModern(scene) ? { result: undefined, code: -32601 } : { result: {}, code: undefined }),
  },
];

/** Modern clients watch single resources with what they listen with. */
function mayWatch(scene: Scene): boolean {
  return isModern(scene) || scene.carries.watches;
}
