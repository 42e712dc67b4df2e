import type { Client } from "../client.js";
import { type Feature, refusalOf } from "../feature.js";
import type { Message } from "../line.js";
import { edgeStatusOf, isModern, type Scene, statusOf } from "../scene.js";

/** What holds for every request. */
export const RULES: readonly Feature[] = [
  {
    name: "a method that nobody knows is refused",
    run: async ({ client }) => refusalOf(await client.ask("constructor")),
    seen: (scene) => ({ status: edgeStatusOf(scene, 404), code: -32601 }),
  },
  {
    name: "params of the wrong shape are refused",
    run: async ({ client }) => [
      refusalOf(await client.ask("tools/call", { name: 1 })),
      refusalOf(await client.ask("completion/complete", {})),
      refusalOf(await client.ask("resources/list", { cursor: "made up" })),
    ],
    seen(scene) {
      const atEdge = { status: edgeStatusOf(scene, 400), code: -32602 };
      return [atEdge, atEdge, { status: statusOf(scene, 200), code: -32602 }];
    },
  },
  {
    name: "a call whose arguments are no object is refused before anything runs",
    async run({ client, stage }) {
      const refusals: unknown[] = [];
      for (const args of ["text", [], null, 1])
        refusals.push(refusalOf(await client.ask("tools/call", { name: "typed", arguments: args })));
      return { refusals, ran: stage.runs.has("typed") };
    },
    seen(scene) {
      const refused = { status: edgeStatusOf(scene, 400), code: -32602 };
      return { refusals: [refused, refused, refused, refused], ran: false };
    },
  },
  {
    name: "an opening, too, is a request of legacy clients alone",
    run: async ({ client, scene }) => (isModern(scene) ? refusalOf(await client.ask("initialize")) : undefined),
    seen: (scene) => (isModern(scene) ? { status: statusOf(scene, 404), code: -32601 } : undefined),
  },
  {
    name: "requests that come as one array are answered where the revision has arrays",
    async run({ client }) {
      const batch = ["a", "b"].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
      const answers = collect(client, 2);
      const status = await client.line.send(batch);
      return { status, ...(await answers) };
    },
    seen: (scene) =>
      takesArrays(scene)
        ? { status: statusOf(scene, 200), ids: ["a", "b"], code: undefined }
        : { status: statusOf(scene, 400), ids: [], code: -32600 },
  },
];

/** Hears answers to what was not sent as a request of its own, until there are so many or one is an error. */
async function collect(client: Client, count: number): Promise<{ readonly ids: readonly unknown[]; code: unknown }> {
  const ids: unknown[] = [];
  const error = await new Promise<Message["error"]>((resolve) => {
    client.onStray = (message) => {
      if (message.error !== undefined) resolve(message.error);
      ids.push(message.id);
      if (ids.length === count) resolve(undefined);
    };
  });
  return error === undefined ? { ids: ids.sort(), code: undefined } : { ids: [], code: error.code };
}

function takesArrays({ revision, carries }: Scene): boolean {
  return carries.batches && revision === "2025-03-26";
}
