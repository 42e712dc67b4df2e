import type { JsonSchema, MCPServer } from "@mortise/server";
import * as z from "zod";

/** A form whose fields are filled in already. */
const PREFILLED: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

/** A form with each way to choose: one or several, by value or by title, and titles as they were written once. */
const CHOICES: JsonSchema = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: listTitled("value1", "value2", "value3") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: listTitled("value1", "value2", "value3") } },
  },
};

function listTitled(...values: string[]): JsonSchema[] {
  return values.map((value, index) => ({ const: value, title: `Option ${index + 1}` }));
}

/**
 * Tools that ask one thing and go on with the answer. The same lines serve every revision: as requests to legacy clients,
 * as results that want input to modern ones.
 */
export function addQuestionTools(server: MCPServer): void {
  server.tool(
    "test_sampling",
    { description: "Asks the client's model", input: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx) => {
      const { content } = await ctx.sample({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${JSON.stringify(content)}`;
    },
  );

  server.tool(
    "test_elicitation",
    { description: "Asks the user who they are", input: z.object({ message: z.string() }) },
    async ({ message }, ctx) => {
      const answer = await ctx.elicit({ message, schema: z.object({ username: z.string(), email: z.string() }) });
      return `User response: ${JSON.stringify(answer)}`;
    },
  );

  server.tool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks with a form that is filled in already" },
    async (_args, ctx) => {
      const answer = await ctx.elicit({ message: "Please review these values", schema: PREFILLED });
      return `Elicitation completed: ${JSON.stringify(answer)}`;
    },
  );

  server.tool(
    "test_elicitation_sep1330_enums",
    { description: "Asks with every kind of choice" },
    async (_args, ctx) => {
      const answer = await ctx.elicit({ message: "Please choose", schema: CHOICES });
      return `Elicitation completed: ${JSON.stringify(answer)}`;
    },
  );
}
