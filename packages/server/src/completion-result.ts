import { describeType, isObject, type JsonObject } from "@mortise/core";
import type { InvalidOutput } from "./tool-result.js";

/** The most values that one result may hold. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results */
const MOST_VALUES = 100;

/**
 * Makes a whole result of what the completer of `argument` returned: the first values, how many there are, and whether there are
 * more. What the completer does not say is counted, as far as it can be. Throws a `Failure` for what is no completion.
 */
export function toCompletionResult(argument: string, returned: unknown, Failure: typeof InvalidOutput): JsonObject {
  const invalid = (expected: string, received: unknown): InvalidOutput =>
    new Failure(`Expected the completer of "${argument}" to return ${expected}, received ${describeType(received)}`);
  const told: JsonObject = isObject(returned) ? returned : { values: returned ?? [] };
  const { values, total, hasMore } = told;
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string"))
    throw invalid("values that are strings", values);
  if (total !== undefined && !(Number.isSafeInteger(total) && Number(total) >= values.length))
    throw invalid('"total" as a number no smaller than that of the values', total);
  if (hasMore !== undefined && typeof hasMore !== "boolean") throw invalid('"hasMore" as true or false', hasMore);
  const sent = values.slice(0, MOST_VALUES);
  const count = total ?? (hasMore === true ? undefined : values.length);
  return {
    completion: {
      values: sent,
      ...(count === undefined ? {} : { total: count }),
      hasMore: hasMore === true || Number(count) > sent.length,
    },
  };
}
