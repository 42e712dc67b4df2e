import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_openapi_spec`. */
export interface GenerateOpenapiSpecArgs {
  readonly input: string;
  readonly title?: string | undefined;
  readonly basePath?: string | undefined;
}

/** Describes an HTTP API. */
export const GENERATE_OPENAPI_SPEC: ToolSpec<GenerateOpenapiSpecArgs> = {
  name: "generate_openapi_spec",
  title: "Generate an OpenAPI document",
  description:
    "Writes an OpenAPI 3.1 document, as JSON, for an HTTP API that is given as code or described in words. The document is validated against the OpenAPI schema, and its references, path parameters and operation ids are checked.",
  input: {
    type: "object",
    properties: {
      input: {
        type: "string",
        minLength: 1,
        maxLength: 200_000,
        description: "Code of the API, such as its routes, or a description of it",
      },
      title: { type: "string", minLength: 1, maxLength: 200, description: "The title of the API" },
      basePath: {
        type: "string",
        minLength: 1,
        maxLength: 2000,
        description: 'Where the API is, such as "/api/v1" or "https://example.com/api"',
      },
    },
    required: ["input"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    description: "An OpenAPI 3.1 document",
    properties: {
      openapi: { type: "string" },
      info: { type: "object" },
      paths: { type: "object" },
    },
    required: ["openapi", "info", "paths"],
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-openapi-spec.js"),
};
