import { invalidParams, isObject } from "@mortise/core";

/** Reads arguments that are strings on the wire. Throws a `JsonRpcError` (-32602) naming the first that is none. */
export function parseStrings(args: unknown, where: string): Record<string, string> {
  if (!isObject(args)) throw invalidParams(where, "an object", args);
  for (const [name, value] of Object.entries(args)) {
    if (typeof value !== "string") throw invalidParams(`${where}.${name.slice(0, 128)}`, "a string", value);
  }
  return args as Record<string, string>; // every member was checked
}
