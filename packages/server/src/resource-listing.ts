import { isObject, type JsonObject, type Revision } from "@mortise/core";

/** The definition of a resource or template as a revision lists it: without members it does not know. */
export function toRevisionResource(listing: JsonObject, revision: Revision): JsonObject {
  const projected = pickMembers(listing, revision.resourceMembers);
  if (!isObject(projected.annotations)) return projected;
  const annotations = pickMembers(projected.annotations, revision.annotationMembers);
  return Object.keys(annotations).length === 0 ? withoutAnnotations(projected) : { ...projected, annotations };
}

/** What was read as a revision sends it: contents without members it does not know. */
export function projectReadResult(result: JsonObject, revision: Revision): JsonObject {
  const { contents } = result;
  if (!Array.isArray(contents)) return result;
  return {
    ...result,
    contents: contents.map((each) => (isObject(each) ? pickMembers(each, revision.contentsMembers) : each)),
  };
}

function pickMembers(source: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([member]) => known.has(member)));
}

function withoutAnnotations({ annotations: _, ...rest }: JsonObject): JsonObject {
  return rest;
}
