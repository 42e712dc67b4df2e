import type { JsonObject } from "@mortise/core";
import { readRecordSchema } from "../mock-data/read-record-schema.js";
import { RECORD_COUNT } from "../mock-data/record-count.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { GenerateMockDataArgs } from "../tools/generate-mock-data.js";

interface Answer {
  readonly records: readonly unknown[];
}

const ANSWER: JsonObject = {
  type: "object",
  properties: { records: { type: "array" } },
  required: ["records"],
  additionalProperties: false,
};

/** Asks for records, and validates them; wrong ones are asked for once more. */
export const run: Run<GenerateMockDataArgs> = async ({ schema, count = RECORD_COUNT.default }, { ask, progress }) => {
  if (typeof schema === "string") expectText("schema", schema);
  const { text, check } = readRecordSchema(schema);
  const { records } = await ask.json<Answer>({
    ...composePrompt({
      role: "You make realistic test data for software.",
      rules: [
        `Answer with {"records": […]}, and put exactly ${count} ${count === 1 ? "record" : "records"} into the list.`,
        "Each record fits the schema of the material: types, formats, patterns, limits, required members, no members that it forbids.",
        "If the schema describes a list, the list that you give is that list.",
        "Values are varied, plausible and consistent with one another, such as an e-mail address that goes with a name. Ids are unique.",
        "Invent everything. Mail addresses and domains end in example.com, example.org or example.net, phone numbers are fictional ones.",
        "Write every value out: no placeholders, no comments, no code.",
      ],
      task: `Make ${count} ${count === 1 ? "record" : "records"} of test data for the schema in the material.`,
      material: { schema: text },
    }),
    schema: ANSWER,
    check(answer) {
      progress("Validating the records");
      if (answer.records.length !== count)
        return `expected exactly ${count} items in "records", received ${answer.records.length}`;
      return check?.(answer.records);
    },
  });
  return { records, count: records.length, validated: check !== undefined };
};
