import { isObject, type JsonObject, type Revision } from "@mortise/core";
import { membersOf } from "./known-members.js";
import { wrapOutputSchema } from "./wrap-output.js";

/** A tool's definition as a revision lists it: without members it does not know, and with an object as output where it must be. */
export function toRevisionTool(listing: JsonObject, revision: Revision): JsonObject {
  const { tool } = membersOf(revision);
  const projected: JsonObject = {};
  for (const [member, value] of Object.entries(listing)) {
    if (tool.has(member)) projected[member] = value;
  }
  const schema = projected.outputSchema;
  if (revision.objectOutputOnly && isObject(schema) && schema.type !== "object")
    projected.outputSchema = wrapOutputSchema(schema);
  return projected;
}
