import type { Feature } from "../feature.js";
import { textOf } from "../feature.js";
import type { Message } from "../line.js";
import { isModern } from "../scene.js";

const WITH_PROGRESS = { meta: { progressToken: 1 } };

/** Answers that come on another connection than their request. */
export const RESUMPTION: readonly Feature[] = [
  {
    name: "the rest of an answer is fetched where the server lets go of its connection, and comes whole everywhere else",
    async run({ client }) {
      const text = textOf(await client.call("poll", {}, WITH_PROGRESS));
      const progress = client.notices.map(({ params }) => params.progress);
      return { text, progress, resumed: (client.line.resumptions ?? 0) > 0 };
    },
    seen: ({ carries: { resumes } }) => ({ text: "polled", progress: [1, 2], resumed: resumes }),
  },
  {
    name: "a call whose connection is lost goes on for legacy clients, and its answer is kept where it can be fetched",
    async run({ client, stage, scene }) {
      const { line } = client;
      if (line.leave === undefined || line.resume === undefined) return undefined;
      const strays: Message[] = [];
      const { id } = client.start("tools/call", { name: "wait", arguments: {} }, WITH_PROGRESS);
      await client.next("notifications/progress");
      await stage.whenRun("wait");
      line.leave(id);
      if (isModern(scene)) await stage.whenRun("wait aborted");
      await client.call("release");
      if (!isModern(scene)) await stage.whenRun("wait released");
      if (scene.carries.resumes)
        await new Promise<void>((resolve) => {
          client.onStray = (message) => {
            strays.push(message);
            resolve();
          };
          void line.resume?.();
        });
      return { aborted: stage.runs.has("wait aborted"), fetched: strays.map(({ result }) => result.content[0].text) };
    },
    seen(scene) {
      if (!scene.carries.http) return undefined;
      return { aborted: isModern(scene), fetched: scene.carries.resumes ? ["waited"] : [] };
    },
  },
];
