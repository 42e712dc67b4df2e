import type { Feature } from "../feature.js";

/** What asks besides tools. */
export const QUESTIONS_ELSEWHERE: readonly Feature[] = [
  createFeature("a prompt asks", "prompts/get", { name: "asked" }),
  createFeature("a resource asks", "resources/read", { uri: "memo://asked" }),
];

function createFeature(name: string, method: string, params: Record<string, string>): Feature {
  return {
    name,
    async run({ client }) {
      client.respond = () => ({ roots: [] });
      const { result, error } = await client.ask(method, params);
      const text = result?.contents?.[0].text ?? result?.messages?.[0].content.text;
      return { text, code: error?.code, asked: client.asked.length };
    },
    seen: ({ carries: { asks } }) =>
      asks ? { text: '{"roots":[]}', code: undefined, asked: 1 } : { text: undefined, code: -32602, asked: 0 },
  };
}
