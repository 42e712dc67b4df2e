import type { JsonObject } from "@mortise/core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { findOperationProblems } from "./check-operations.js";
import { findReferenceProblems } from "./check-references.js";

const MOST_PROBLEMS = 10;
/** Compiles the schema of OpenAPI once, which takes far longer than all the rest. */
const VALIDATOR = new Validator({ logger: false });

/**
 * Says what is wrong with an OpenAPI 3.1 document; `undefined` for nothing. Looks at its form, at references, which must stay in
 * the document, and at what the schema of OpenAPI cannot say. Nothing is ever fetched.
 */
export async function findDocumentProblems(document: JsonObject): Promise<string | undefined> {
  if (typeof document.openapi !== "string" || !/^3\.1\.\d+$/.test(document.openapi))
    return `expected "openapi" to be "3.1.0" or another version 3.1, received ${JSON.stringify(document.openapi)}`;
  const references = findReferenceProblems(document);
  if (references.length > 0) return list(references);
  const form = await findFormProblems(document);
  return list(form.length > 0 ? form : findOperationProblems(document));
}

async function findFormProblems(document: JsonObject): Promise<readonly string[]> {
  const { valid, errors = [] } = await VALIDATOR.validate(structuredClone(document));
  if (valid) return [];
  if (typeof errors === "string") return [errors];
  const problems = errors
    // These say that one of several alternatives failed, or which branch was taken; what failed in it is an error of its own.
    .filter(({ keyword }) => !["if", "oneOf", "anyOf", "allOf"].includes(keyword))
    .map(({ instancePath, message, params }) => {
      return `${instancePath === "" ? "the document" : instancePath} ${message ?? "is wrong"}${describeParams(params)}`;
    });
  return problems.length > 0 ? [...new Set(problems)] : ["the document is no OpenAPI document"];
}

/** The member that must not be there is named in the parameters alone. */
function describeParams(params: Readonly<Record<string, unknown>>): string {
  const name = params.additionalProperty ?? params.unevaluatedProperty;
  return typeof name === "string" ? ` (${JSON.stringify(name)})` : "";
}

function list(problems: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined;
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`and ${more} more problems`] : [])].join("; ");
}
