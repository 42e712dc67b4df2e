import type { Feature } from "../feature.js";
import { isModern } from "../scene.js";

const NOTHING = { result: undefined, error: undefined };

/** Calls that are given up. */
export const CANCELLATION: readonly Feature[] = [
  {
    name: "a cancelled call ends, without an answer",
    async run({ client, scene, stage }) {
      const { id, reply } = client.start("tools/call", { name: "wait" });
      await stage.whenRun("wait");
      await client.cancel(id);
      if (scene.carries.cancels) await stage.whenRun("wait aborted");
      else await client.call("release");
      const { result } = await Promise.race([reply, client.call("text").then(() => ({ result: undefined }))]);
      return { text: result?.content[0].text, aborted: stage.runs.has("wait aborted") };
    },
    seen: ({ carries: { cancels } }) =>
      cancels ? { text: undefined, aborted: true } : { text: "waited", aborted: false },
  },
  {
    name: "a handler that fails because it was cancelled tells nobody",
    async run({ client, scene, stage }) {
      if (!scene.carries.cancels) return undefined;
      const { id, reply } = client.start("tools/call", { name: "give up" });
      await stage.whenRun("give up");
      await client.cancel(id);
      await client.cancel(id);
      const { result, error } = await Promise.race([reply, client.call("text").then(() => NOTHING)]);
      return { result, error, failures: stage.failures };
    },
    seen: ({ carries: { cancels } }) => (cancels ? { ...NOTHING, failures: [] } : undefined),
  },
  {
    name: "a call that waits for the answer to a question can be cancelled",
    async run({ client, scene, stage }) {
      if (isModern(scene) || !scene.carries.asks) return undefined;
      client.respond = () => undefined;
      const { id, reply } = client.start("tools/call", { name: "ask roots" });
      await client.nextAsked();
      await client.cancel(id);
      const { result, error } = await Promise.race([reply, client.call("text").then(() => NOTHING)]);
      return { result, error, open: stage.server.inside.core.inFlight.size };
    },
    seen: (scene) => (isModern(scene) || !scene.carries.asks ? undefined : { ...NOTHING, open: 0 }),
  },
  {
    name: "cancelling what nobody knows does nothing",
    async run({ client }) {
      await client.tell("notifications/cancelled", { requestId: 99 });
      await client.tell("notifications/cancelled", { requestId: null });
      await client.tell("notifications/cancelled", { requestId: 1 });
      await client.tell("notifications/cancelled");
      return (await client.call("text")).result.content;
    },
    seen: () => [{ type: "text", text: "some text" }],
  },
];
