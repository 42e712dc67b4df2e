import { type Feature, pick, refusalOf } from "../feature.js";
import { isSince, statusOf } from "../scene.js";
import { listBlocks } from "./content.js";

const REF = { type: "ref/prompt", name: "greet" };

/** Listing, getting and completing prompts. */
export const PROMPTS: readonly Feature[] = [
  {
    name: "a prompt is listed with the members that its revision knows",
    run: async ({ client }) => (await client.ask("prompts/list")).result.prompts[0],
    seen: (scene) => ({
      name: "greet",
      description: "Greets someone",
      arguments: [
        {
          name: "name",
          description: "Whom",
          required: true,
          ...(isSince(scene, "2025-06-18") ? { title: "Name" } : {}),
        },
        { name: "language", description: "How" },
      ],
      ...(isSince(scene, "2025-06-18") ? { title: "Greet" } : {}),
      ...(isSince(scene, "2025-11-25") ? { icons: [{ src: "https://example.com/greet.png" }] } : {}),
    }),
  },
  {
    name: "a prompt is made with its arguments",
    run: async ({ client }) =>
      (await client.ask("prompts/get", { name: "greet", arguments: { name: "Ada" } })).result.messages,
    seen: () => [{ role: "user", content: { type: "text", text: "Hello, Ada" } }],
  },
  {
    name: "messages have blocks that the revision knows",
    run: async ({ client }) =>
      pick((await client.ask("prompts/get", { name: "blocks" })).result, "description", "messages"),
    seen: (scene) => ({
      description: "All of them",
      messages: listBlocks(scene).map((content) => ({ role: "assistant", content })),
    }),
  },
  {
    name: "a prompt that nobody knows, and one without its arguments, are errors",
    run: async ({ client }) => [
      refusalOf(await client.ask("prompts/get", { name: "constructor" })),
      refusalOf(await client.ask("prompts/get", { name: "greet" })),
    ],
    seen(scene) {
      const refused = { status: statusOf(scene, 200), code: -32602 };
      return [refused, refused];
    },
  },
  {
    name: "arguments are completed",
    run: async ({ client }) =>
      (await client.ask("completion/complete", { ref: REF, argument: { name: "name", value: "A" } })).result.completion,
    seen: () => ({ values: ["Ada", "Alan"], total: 2, hasMore: false }),
  },
  {
    name: "arguments are completed by what is settled, where the revision can say so",
    async run({ client }) {
      const context = { arguments: { name: "Ada" } };
      const argument = { name: "language", value: "" };
      return (await client.ask("completion/complete", { ref: REF, argument, context })).result.completion.values;
    },
    seen: (scene) => [isSince(scene, "2025-06-18") ? "en for Ada" : "en"],
  },
];
