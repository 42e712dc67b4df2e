import { type Feature, pick } from "../feature.js";
import { isModern, isSince, type Scene } from "../scene.js";
import { BLOCKS } from "../server/tools.js";

const [TEXT, IMAGE, AUDIO, EMBEDDED, LINK] = BLOCKS;

/** Every kind of block, as far as a revision knows it. */
export function listBlocks(scene: Scene): readonly unknown[] {
  const sound = { uri: "urn:mortise:audio", mimeType: "audio/wav", blob: "AQ==" };
  return [
    TEXT,
    IMAGE,
    isSince(scene, "2025-03-26") ? AUDIO : { type: "resource", resource: sound },
    EMBEDDED,
    isSince(scene, "2025-06-18") ? LINK : { type: "text", text: "The note: memo://note" },
  ];
}

/** What tools give. */
export const CONTENT: readonly Feature[] = [
  {
    name: "blocks of kinds that a revision does not know become ones that it does",
    run: async ({ client }) => (await client.call("blocks")).result.content,
    seen: listBlocks,
  },
  {
    name: "nothing is a result without content",
    run: async ({ client }) => (await client.call("nothing")).result.content,
    seen: () => [],
  },
  {
    name: "a whole result keeps its metadata",
    async run({ client }) {
      const { content, _meta } = (await client.call("whole")).result;
      return { content, _meta: pick(_meta, "com.example/whole") };
    },
    seen: () => ({ content: [{ type: "text", text: "whole" }], _meta: { "com.example/whole": true } }),
  },
  {
    name: "an object is structured content, and its JSON as text",
    run: async ({ client }) => pick((await client.call("object")).result, "content", "structuredContent"),
    seen: (scene) => ({
      content: [{ type: "text", text: '{"sum":3}' }],
      ...(isSince(scene, "2025-06-18") ? { structuredContent: { sum: 3 } } : {}),
    }),
  },
  {
    name: "a list is structured content, within an object where only objects are known",
    run: async ({ client }) => pick((await client.call("array")).result, "content", "structuredContent"),
    seen: (scene) => ({
      content: [{ type: "text", text: "[1,2]" }],
      ...(isSince(scene, "2025-06-18") ? { structuredContent: isModern(scene) ? [1, 2] : { result: [1, 2] } } : {}),
    }),
  },
];
