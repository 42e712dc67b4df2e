import { describeType, invalidOptions, isObject } from "@mortise/core";

/** What JSON would silently change or leave out is told here. */
export function expectCall(name: unknown, params: unknown): void {
  if (typeof name !== "string" || name === "")
    throw invalidOptions(`a name to call to be a string, received ${describeType(name)}`);
  if (!isObject(params)) throw invalidOptions(`what is passed to be an object, received ${describeType(params)}`);
}
