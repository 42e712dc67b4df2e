import type { JsonObject } from "@mortise/core";
import { RECORD_COUNT } from "../mock-data/record-count.js";
import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_mock_data`. */
export interface GenerateMockDataArgs {
  readonly schema: JsonObject | string;
  readonly count?: number | undefined;
}

/** Makes records that fit a schema. */
export const GENERATE_MOCK_DATA: ToolSpec<GenerateMockDataArgs> = {
  name: "generate_mock_data",
  title: "Generate mock data",
  description:
    "Makes realistic records that fit a JSON Schema: every record is validated against it, and there are exactly as many as were asked for. A schema in another form, such as a TypeScript interface or a sentence, is followed but cannot be validated.",
  input: {
    type: "object",
    properties: {
      schema: {
        anyOf: [
          { type: "object", minProperties: 1 },
          { type: "string", minLength: 1, maxLength: 100_000 },
        ],
        description: "JSON Schema of one record, as an object or as text; or another description of a record",
      },
      count: {
        type: "integer",
        minimum: 1,
        maximum: RECORD_COUNT.most,
        default: RECORD_COUNT.default,
        description: `How many records. Default: ${RECORD_COUNT.default}, at most ${RECORD_COUNT.most}`,
      },
    },
    required: ["schema"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      records: { type: "array" },
      count: { type: "integer", description: "How many records there are" },
      validated: { type: "boolean", description: "Whether every record was validated against a JSON Schema" },
    },
    required: ["records", "count", "validated"],
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-mock-data.js"),
};
