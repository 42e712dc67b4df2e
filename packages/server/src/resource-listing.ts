import { isObject, type JsonObject, type Revision } from "@mortise/core";
import { findFlaw } from "./annotations.js";
import { expectOption, readDisplay } from "./check-options.js";
import { membersOf } from "./known-members.js";
import type { ResourceDefinition } from "./resource-definition.js";

/** Tells whether an address is a template. */
export function isTemplate(uri: unknown): uri is string {
  return typeof uri === "string" && uri.includes("{");
}

/** A definition as the newest revision lists it. Throws `invalid_options`. */
export function createResourceListing(uri: string, definition: ResourceDefinition): JsonObject {
  const owner = ` of resource "${uri}"`;
  const { size } = definition;
  if (size !== undefined) {
    const what = `"size"${owner}`;
    expectOption(!isTemplate(uri), what, "left out, since a template has none", size);
    expectOption(Number.isSafeInteger(size) && size >= 0, what, "a number of bytes, 0 or more", size);
  }
  const flaw = findFlaw(definition.annotations);
  if (flaw !== undefined) expectOption(false, `"annotations${flaw.member}"${owner}`, flaw.expected, flaw.received);
  return {
    [isTemplate(uri) ? "uriTemplate" : "uri"]: uri,
    name: uri,
    ...readDisplay(definition, "name", "string", owner),
    ...readDisplay(definition, "title", "string", owner),
    ...readDisplay(definition, "description", "string", owner),
    ...readDisplay(definition, "mimeType", "string", owner),
    ...(size === undefined ? {} : { size }),
    ...readDisplay(definition, "icons", "icons", owner),
    ...readDisplay(definition, "annotations", "object", owner),
    ...readDisplay(definition, "_meta", "object", owner),
  };
}

/** The definition of a resource or template as a revision lists it: without members it does not know. */
export function toRevisionResource(listing: JsonObject, revision: Revision): JsonObject {
  const known = membersOf(revision);
  const projected = pickMembers(listing, known.resource);
  if (!isObject(projected.annotations)) return projected;
  const annotations = pickMembers(projected.annotations, known.annotation);
  return Object.keys(annotations).length === 0 ? withoutAnnotations(projected) : { ...projected, annotations };
}

/** What was read as a revision sends it: contents without members it does not know. */
export function projectReadResult(result: JsonObject, revision: Revision): JsonObject {
  const { contents } = result;
  if (!Array.isArray(contents)) return result;
  return {
    ...result,
    contents: contents.map((each) => (isObject(each) ? pickMembers(each, membersOf(revision).contents) : each)),
  };
}

function pickMembers(source: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([member]) => known.has(member)));
}

function withoutAnnotations({ annotations: _, ...rest }: JsonObject): JsonObject {
  return rest;
}
