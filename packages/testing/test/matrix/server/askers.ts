import { type HandlerContext, inputRequired } from "@mortise/server";
import type { Stage } from "./index.js";

/** A form with every kind of field that all revisions with forms have. */
export const FORM = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name" },
    color: {
      type: "string",
      oneOf: [
        { const: "r", title: "Red" },
        { const: "g", title: "Green" },
      ],
    },
    times: { type: "integer", default: 1 },
    agreed: { type: "boolean", default: false },
  },
  required: ["name"],
} as const;

/** A form that is new with 2025-11-25. */
const SEVERAL = {
  type: "object",
  properties: { colors: { type: "array", items: { type: "string", enum: ["r", "g"] } } },
} as const;

const TOOL = { name: "add", inputSchema: { type: "object" } };

/** Questions by the name of the tool that puts them. */
const ASKING: Readonly<Record<string, (context: HandlerContext) => Promise<unknown>>> = {
  form: ({ elicit }) => elicit({ message: "Who?", schema: FORM }),
  "several choices": ({ elicit }) => elicit({ message: "Which?", schema: SEVERAL }),
  page: ({ elicit }) => elicit({ message: "Sign in", url: "https://example.com/sign-in", elicitationId: "visit-1" }),
  sample: ({ sample }) =>
    sample({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "one" },
            { type: "text", text: "two" },
          ],
        },
      ],
      maxTokens: 10,
    }),
  "sample with tools": ({ sample }) =>
    sample({ messages: [{ role: "user", content: { type: "text", text: "add" } }], maxTokens: 10, tools: [TOOL] }),
  roots: ({ listRoots }) => listRoots(),
  two: ({ ask }) => ask({ draft: { sample: SAMPLE }, where: { roots: {} } }),
};
const SAMPLE = { messages: [{ role: "user", content: { type: "text", text: "draft" } }], maxTokens: 10 } as const;

/** Tools that ask. Each tells the answers as JSON. */
export function addAskers({ server, count }: Stage): void {
  for (const [name, ask] of Object.entries(ASKING))
    server.tool(`ask ${name}`, {}, async (_, context) => {
      count(`ask ${name}`);
      return JSON.stringify(await ask(context));
    });
  server.tool("ask needed", { asks: ["elicit.form"] }, async (_, { elicit }) => {
    count("ask needed");
    return JSON.stringify(await elicit({ message: "Who?", schema: FORM }));
  });
  server.tool("ask on the way", {}, async (_, { listRoots, progress, once }) => {
    await progress(1, 2);
    await once("count", () => count("on the way"));
    await listRoots();
    await progress(2, 2);
    return "done";
  });
  server.tool("ask explicitly", {}, (_, { inputResponses, inputState }) =>
    inputResponses.where === undefined
      ? inputRequired({ inputRequests: { where: { roots: {} } }, state: { step: 1 } })
      : JSON.stringify({ answer: inputResponses.where, state: inputState }),
  );
  server.tool("abilities", {}, (_, { can }) =>
    (["elicit.form", "elicit.url", "sample", "sample.tools", "roots"] as const).filter(can).join(" "),
  );
}
