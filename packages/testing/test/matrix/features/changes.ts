import type { JsonObject } from "@mortise/server";
import { type Feature, refusalOf, type Talk } from "../feature.js";
import type { Message } from "../line.js";
import { edgeStatusOf, isModern, type Scene } from "../scene.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const LISTEN = "subscriptions/listen";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

/** Something that can change. */
interface Change {
  readonly name: string;
  readonly method: string;
  /** What a modern client asks for. */
  readonly filter: JsonObject;
  readonly params?: JsonObject;
  publish(talk: Talk): void;
}

const CHANGES_OF_LISTS: readonly Change[] = [
  {
    name: "a changed list of tools is told",
    method: "notifications/tools/list_changed",
    filter: { toolsListChanged: true },
    publish: ({ stage }) => void stage.server.tool("new", {}, () => "new"),
  },
  {
    name: "a changed list of prompts is told",
    method: "notifications/prompts/list_changed",
    filter: { promptsListChanged: true },
    publish: ({ stage }) => stage.server.notify.promptsChanged(),
  },
  {
    name: "a changed list of resources is told",
    method: "notifications/resources/list_changed",
    filter: { resourcesListChanged: true },
    publish: ({ stage }) => stage.server.notify.resourcesChanged(),
  },
];

const UPDATE: Change = {
  name: "a changed resource is told to who watches it",
  method: "notifications/resources/updated",
  filter: { resourceSubscriptions: ["memo://note"] },
  params: { uri: "memo://note" },
  publish({ stage }) {
    stage.server.notify.resourceUpdated("memo://bytes");
    stage.server.notify.resourceUpdated("memo://note");
  },
};

/** What changes, and who is told. */
export const CHANGES: readonly Feature[] = [
  ...CHANGES_OF_LISTS.map((change) =>
    toFeature(
      change,
      (scene) => scene.carries.announces,
      async () => undefined,
    ),
  ),
  toFeature(
    UPDATE,
    (scene) => scene.carries.watches,
    async ({ client }) => refusalOf(await client.ask("resources/subscribe", { uri: "memo://note" })),
  ),
  {
    name: "a resource that is watched no more is told of no more",
    async run(talk) {
      const { client, stage } = talk;
      if (isModern(talk.scene) || !talk.scene.carries.watches)
        return refusalOf(await client.ask("resources/unsubscribe", { uri: "memo://note" }));
      await client.line.listen?.();
      await client.ask("resources/subscribe", { uri: "memo://note" });
      await client.ask("resources/subscribe", { uri: "memo://bytes" });
      await client.ask("resources/unsubscribe", { uri: "memo://note" });
      UPDATE.publish(talk);
      stage.server.notify.resourceUpdated("memo://note");
      await client.next(UPDATE.method);
      return listNotices(client.notices);
    },
    seen: (scene) =>
      isModern(scene) || !scene.carries.watches
        ? { status: edgeStatusOf(scene, 404), code: -32601 }
        : [{ method: UPDATE.method, params: { uri: "memo://bytes" } }],
  },
  {
    name: "streams of changes are told apart, and each ends by itself",
    async run({ client, scene, stage }) {
      if (!isModern(scene)) return undefined;
      const first = client.start(LISTEN, { notifications: { toolsListChanged: true } });
      const second = client.start(LISTEN, { notifications: { toolsListChanged: true, promptsListChanged: true } });
      await client.next(ACKNOWLEDGED, 1);
      stage.server.notify.toolsChanged();
      await client.next("notifications/tools/list_changed", 1);
      await client.cancel(first.id);
      stage.server.notify.promptsChanged();
      await client.next("notifications/prompts/list_changed");
      const told = client.notices.slice(2).map(({ method, params }) => [method, params._meta[SUBSCRIPTION]]);
      return told.map(([method, id]) => [method, id === first.id ? "first" : id === second.id ? "second" : id]).sort();
    },
    seen: (scene) =>
      isModern(scene)
        ? [
            ["notifications/prompts/list_changed", "second"],
            ["notifications/tools/list_changed", "first"],
            ["notifications/tools/list_changed", "second"],
          ]
        : undefined,
  },
  {
    name: "a stream of changes ends with an answer when the server closes",
    async run({ client, scene, stage }) {
      if (!isModern(scene)) return undefined;
      const { id, reply } = client.start(LISTEN, { notifications: { toolsListChanged: true } });
      await client.next(ACKNOWLEDGED);
      const closed = stage.server.close();
      const { result } = await reply;
      await closed;
      return { resultType: result?.resultType, ofItself: result?._meta[SUBSCRIPTION] === id };
    },
    seen: (scene) => (isModern(scene) ? { resultType: "complete", ofItself: true } : undefined),
  },
  {
    name: "only modern clients listen with a request",
    async run({ client, scene }) {
      if (isModern(scene)) return undefined;
      return refusalOf(await client.ask(LISTEN, { notifications: { toolsListChanged: true } }));
    },
    seen: (scene) => (isModern(scene) ? undefined : { status: edgeStatusOf(scene, 404), code: -32601 }),
  },
];

/** `prepare` is what a legacy client does to be told. */
function toFeature(
  change: Change,
  isTold: (scene: Scene) => boolean,
  prepare: (talk: Talk) => Promise<unknown>,
): Feature {
  const { name, method, params } = change;
  return {
    name,
    async run(talk) {
      const { client, scene } = talk;
      if (isModern(scene)) return listenOnce(talk, change);
      await client.line.listen?.();
      const prepared = await prepare(talk);
      change.publish(talk);
      if (isTold(scene)) await client.next(method);
      else await client.ask("ping");
      return { prepared, notices: listNotices(client.notices) };
    },
    seen(scene) {
      const told = params === undefined ? { method } : { method, params };
      if (isModern(scene)) return { subscribed: [true, true], notices: [ACKNOWLEDGED, method], uri: params?.uri };
      const refused = { status: edgeStatusOf(scene, 404), code: -32601 };
      const served = { status: edgeStatusOf(scene, 200), code: undefined };
      const prepared = change === UPDATE ? (isTold(scene) ? served : refused) : undefined;
      return { prepared, notices: isTold(scene) ? [told] : [] };
    },
  };
}

async function listenOnce(talk: Talk, { method, filter, publish }: Change): Promise<unknown> {
  const { client } = talk;
  const { id } = client.start(LISTEN, { notifications: filter });
  const acknowledged = await client.next(ACKNOWLEDGED);
  expectSame(acknowledged.params.notifications, filter);
  publish({ ...talk });
  const changed = await client.next(method);
  await client.cancel(id);
  return {
    subscribed: [acknowledged, changed].map(({ params }) => params._meta[SUBSCRIPTION] === id),
    notices: client.notices.map((notice) => notice.method),
    uri: changed.params.uri,
  };
}

function expectSame(granted: unknown, asked: unknown): void {
  if (JSON.stringify(granted) !== JSON.stringify(asked))
    throw new Error(`Expected ${JSON.stringify(asked)} to be granted, received ${JSON.stringify(granted)}`);
}

function listNotices(notices: readonly Message[]): readonly JsonObject[] {
  return notices.map(({ method, params }) => (params === undefined ? { method } : { method, params }));
}
