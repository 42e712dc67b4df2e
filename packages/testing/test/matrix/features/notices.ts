import type { Client } from "../client.js";
import type { Feature } from "../feature.js";
import { isModern, isSince, type Scene } from "../scene.js";
import { LEVELS } from "../server/workers.js";

/** Progress and log messages. */
export const NOTICES: readonly Feature[] = [
  {
    name: "progress that grows is told to whoever asks, with a message where the revision has one",
    async run({ client }) {
      await client.call("progress", {}, { meta: { progressToken: "token" } });
      return client.notices.map(({ method, params }) => ({ method, params }));
    },
    seen(scene) {
      const told = isSince(scene, "2025-03-26") ? { message: "begun" } : {};
      return [
        { progressToken: "token", progress: 1, total: 3, ...told },
        { progressToken: "token", progress: 2, total: 3 },
      ].map((params) => ({ method: "notifications/progress", params }));
    },
  },
  {
    name: "progress is told to nobody who does not ask",
    async run({ client }) {
      await client.call("progress");
      return client.notices;
    },
    seen: () => [],
  },
  {
    name: "nobody who can ask for log messages gets some unasked",
    async run({ client }) {
      await client.call("chatter");
      return listLevels(client);
    },
    seen: (scene) => (isModern(scene) ? [] : LEVELS.slice(1)),
  },
  {
    name: "log messages are sent from the level on that was asked for",
    async run({ client, scene }) {
      const meta = isModern(scene) ? { "io.modelcontextprotocol/logLevel": "warning" } : {};
      const set = isModern(scene) ? undefined : await client.ask("logging/setLevel", { level: "warning" });
      await client.call("chatter", {}, { meta });
      return { set: set?.result, levels: listLevels(client), first: client.notices[0]?.params.logger };
    },
    seen: (scene) => ({
      set: isModern(scene) ? undefined : {},
      levels: keepsLevel(scene) ? LEVELS.slice(3) : LEVELS.slice(1),
      first: "chatter",
    }),
  },
  {
    name: "a level that does not exist is refused",
    async run({ client, scene }) {
      const meta = { "io.modelcontextprotocol/logLevel": "loud" };
      const { error } = isModern(scene)
        ? await client.call("chatter", {}, { meta })
        : await client.ask("logging/setLevel", { level: "loud" });
      return error.code;
    },
    seen: () => -32602,
  },
];

function listLevels(client: Client): readonly unknown[] {
  return client.notices.filter(({ method }) => method === "notifications/message").map(({ params }) => params.level);
}

/** Where nothing is remembered, the level goes with each request, or the server decides. */
function keepsLevel(scene: Scene): boolean {
  return isModern(scene) || scene.carries.remembers;
}
