import { isObject, type JsonObject } from "@mortise/core";

/** Reads what a store keeps as text; `undefined` for what is no object, which another program may have put there. */
export function readEntry(text: string | null | undefined): JsonObject | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
