import { isObject, type JsonObject } from "@mortise/core";

/** Documents that are nested deeper would exhaust the stack of whoever reads them. */
const MOST_LEVELS = 100;

/** Lists references that lead out of a document, or nowhere, and parts of it that are nested too deeply. */
export function findReferenceProblems(document: JsonObject): string[] {
  const problems: string[] = [];

  function visit(value: unknown, level: number): void {
    if (level > MOST_LEVELS) {
      problems.push(`the document is nested more than ${MOST_LEVELS} levels deep`);
      return;
    }
    if (Array.isArray(value)) {
      for (const item of value) visit(item, level + 1);
      return;
    }
    if (!isObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === "string") problems.push(...describeReference($ref, document));
    for (const member of Object.values(value)) visit(member, level + 1);
  }

  visit(document, 0);
  return [...new Set(problems)];
}

function describeReference(reference: string, document: JsonObject): string[] {
  const shown = JSON.stringify(reference.slice(0, 200));
  if (!reference.startsWith("#/"))
    return [`the reference ${shown} leads out of the document: put what it means under "components"`];
  return resolve(reference, document) === undefined ? [`the reference ${shown} leads nowhere`] : [];
}

function resolve(reference: string, document: JsonObject): unknown {
  return reference
    .slice(2)
    .split("/")
    .map(decodeStep)
    .reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return value[Number(step)];
      return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }, document);
}

function decodeStep(step: string): string {
  const pointer = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(pointer);
  } catch (error) {
    if (error instanceof URIError) return pointer;
    throw error;
  }
}
