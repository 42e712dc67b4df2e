import type { JsonSchema, MCPServer } from "@mortise/server";
import * as z from "zod";

/** Keywords that a server must hand on as they are: `$defs` with an anchor, composition and conditions. */
export const CONTACT_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: this is a keyword of JSON Schema, and nothing waits for a schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** Tools whose schemas the referee looks at. */
export function addSchemaTools(server: MCPServer): void {
  server.tool(
    "json_schema_2020_12_tool",
    { description: "Takes arguments that need every part of JSON Schema 2020-12", input: CONTACT_SCHEMA },
    (args) => `Received ${Object.keys(args).join(", ")}.`,
  );

  // The annotation asks clients to repeat the argument in the header Mcp-Param-Region, where proxies can route by it.
  server.tool(
    "test_x_mcp_header",
    {
      description: "Takes an argument that clients repeat in a header",
      input: z.object({ region: z.string().optional().meta({ "x-mcp-header": "Region" }) }),
    },
    ({ region }) => `Region: ${region ?? "none"}`,
  );
}
