import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import type { RequestControl } from "../era.js";
import type { ClientExtension, ResultHandler } from "../extension.js";
import { waitFor } from "./wait-for.js";

/** A request whose result is of a type that the protocol does not know. */
export interface ExtendedResult {
  readonly method: string;
  readonly params: JsonObject | undefined;
  readonly control: RequestControl;
  readonly extensions: ReadonlyMap<string, ClientExtension>;
}

/**
 * Goes on with a result that is neither complete nor a question, as the extension says that it belongs to. Throws
 * `unknown_result_type` where it belongs to none.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
 */
export async function handleResult(
  result: JsonObject,
  { method, params, control, extensions }: ExtendedResult,
): Promise<JsonObject> {
  const handler = findHandler(result.resultType, extensions);
  if (handler === "as it is") return result;
  if (handler === undefined) throw unknownType(method, result);
  const finished: unknown = await waitFor(control, async (signal) => handler(result, { method, params, signal }));
  if (!isObject(finished))
    throw new MortiseError("invalid_options", `Expected what handles "${String(result.resultType)}" to give a result`);
  if (finished.resultType !== undefined && finished.resultType !== "complete") throw unknownType(method, finished);
  return finished;
}

function findHandler(
  type: unknown,
  extensions: ReadonlyMap<string, ClientExtension>,
): ResultHandler | "as it is" | undefined {
  if (typeof type !== "string") return undefined;
  for (const { resultTypes = [] } of extensions.values()) {
    if (isNames(resultTypes)) {
      const names: readonly string[] = resultTypes;
      if (names.includes(type)) return "as it is";
    } else if (Object.hasOwn(resultTypes, type)) return resultTypes[type];
  }
  return undefined;
}

function isNames(types: NonNullable<ClientExtension["resultTypes"]>): types is readonly string[] {
  return Array.isArray(types);
}

function unknownType(method: string, result: JsonObject): MortiseError {
  return new MortiseError(
    "unknown_result_type",
    `Expected the result of "${method}" to be complete, received resultType ${JSON.stringify(result.resultType)}`,
    { cause: result },
  );
}
