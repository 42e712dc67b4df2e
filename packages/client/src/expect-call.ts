import { describeType, isObject, MortiseError } from "@mortise/core";

/** What JSON would silently change or leave out is told here. */
export function expectCall(name: unknown, params: unknown): void {
  if (typeof name !== "string" || name === "")
    throw new MortiseError("invalid_options", `Expected a name to call to be a string, received ${describeType(name)}`);
  if (!isObject(params))
    throw new MortiseError(
      "invalid_options",
      `Expected what is passed to be an object, received ${describeType(params)}`,
    );
}
