import type { JsonObject } from "@mortise/core";

const ID = { name: "id", in: "path", required: true, schema: { type: "integer" } };

/** A right one. */
export const DOCUMENT: JsonObject = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1.0.0" },
  paths: {
    "/pets/{id}": {
      parameters: [{ $ref: "#/components/parameters/id" }],
      get: {
        operationId: "getPet",
        summary: "Get a pet",
        responses: {
          "200": {
            description: "The pet",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
          },
          "404": { description: "No such pet" },
        },
      },
    },
  },
  components: {
    parameters: { id: ID },
    schemas: { Pet: { type: "object", properties: { name: { type: ["string", "null"] } }, required: ["name"] } },
  },
};

/** The document with other operations. */
export function withPaths(paths: JsonObject): JsonObject {
  return { ...DOCUMENT, paths };
}
