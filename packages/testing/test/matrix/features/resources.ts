import { type Feature, refusalOf } from "../feature.js";
import { isModern, isSince, statusOf } from "../scene.js";
import { listAll } from "./list-all.js";

/** Listing, reading and completing resources. */
export const RESOURCES: readonly Feature[] = [
  {
    name: "resources are listed, and what templates list of theirs",
    async run({ client }) {
      const { items } = await listAll(client, "resources/list", "resources");
      return items.map(({ uri }) => uri);
    },
    seen: () => ["memo://note", "memo://bytes", "memo://broken", "memo://asked", "memo://item/1"],
  },
  {
    name: "a resource is listed with the members that its revision knows",
    run: async ({ client }) => (await client.ask("resources/list")).result.resources[0],
    seen: (scene) => ({
      uri: "memo://note",
      name: "note",
      description: "A note",
      mimeType: "text/plain",
      size: 6,
      annotations: {
        audience: ["user"],
        priority: 1,
        ...(isSince(scene, "2025-06-18") ? { lastModified: "2026-01-01T00:00:00Z" } : {}),
      },
      ...(isSince(scene, "2025-06-18") ? { title: "The note", _meta: { "com.example/kind": "note" } } : {}),
      ...(isSince(scene, "2025-11-25") ? { icons: [{ src: "https://example.com/note.png" }] } : {}),
    }),
  },
  {
    name: "templates are listed",
    run: async ({ client }) => (await client.ask("resources/templates/list")).result.resourceTemplates,
    seen: () => [{ uriTemplate: "memo://item/{id}", name: "item", mimeType: "text/plain" }],
  },
  {
    name: "text is read, with the members that the revision knows",
    run: async ({ client }) => (await client.ask("resources/read", { uri: "memo://note" })).result.contents,
    seen: (scene) => [
      {
        uri: "memo://note",
        mimeType: "text/plain",
        text: "a note",
        ...(isSince(scene, "2025-06-18") ? { _meta: { "com.example/part": 1 } } : {}),
      },
    ],
  },
  {
    name: "bytes are read",
    run: async ({ client }) => (await client.ask("resources/read", { uri: "memo://bytes" })).result.contents,
    seen: () => [{ uri: "memo://bytes", mimeType: "application/octet-stream", blob: "AAE=" }],
  },
  {
    name: "what a template fits is read",
    run: async ({ client }) => (await client.ask("resources/read", { uri: "memo://item/2" })).result.contents,
    seen: () => [{ uri: "memo://item/2", mimeType: "text/plain", text: "item 2" }],
  },
  ...["memo://nowhere", "memo://item/9", "not an address"].map(
    (uri): Feature => ({
      name: `${uri} is not found, by the number of the revision`,
      async run({ client }) {
        const reply = await client.ask("resources/read", { uri });
        return { ...refusalOf(reply), data: reply.error?.data };
      },
      seen: (scene) => ({
        status: statusOf(scene, 200),
        code: isModern(scene) ? -32602 : -32002,
        data: { uri },
      }),
    }),
  ),
  {
    name: "a handler that fails tells nothing of why",
    async run({ client, stage }) {
      const { error } = await client.ask("resources/read", { uri: "memo://broken" });
      return { code: error.code, told: stage.failures.length, leaked: JSON.stringify(error).includes("secret") };
    },
    seen: () => ({ code: -32603, told: 1, leaked: false }),
  },
  {
    name: "the variables of a template are completed",
    async run({ client }) {
      const ref = { type: "ref/resource", uri: "memo://item/{id}" };
      return (await client.ask("completion/complete", { ref, argument: { name: "id", value: "1" } })).result.completion;
    },
    seen: () => ({ values: ["1", "12"], total: 2, hasMore: false }),
  },
];
