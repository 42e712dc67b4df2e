import { describeType, isObject, type JsonObject, MortiseError } from "@mortise/core";

/**
 * Copies a JSON object deeply and freezes the copy. Members that are `undefined` are left out, as JSON does; a member named
 * `__proto__` stays a member. Throws `schema_invalid` for what JSON cannot hold; `where` names the document.
 * The depth must have been bounded before.
 */
export function copyJson(source: object, where: string): JsonObject {
  const copy: JsonObject = {};
  for (const [member, value] of Object.entries(source)) {
    if (value !== undefined) setMember(copy, member, copyValue(value, where));
  }
  return Object.freeze(copy);
}

/** Sets an own member, whatever its name: plain assignment to `__proto__` would set the prototype. */
export function setMember(target: JsonObject, member: string, value: unknown): void {
  if (member === "__proto__")
    Object.defineProperty(target, member, { value, enumerable: true, writable: true, configurable: true });
  else target[member] = value;
}

function copyValue(value: unknown, where: string): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copyValue(item, where)));
  if (isObject(value) && isPlain(value)) return copyJson(value, where);
  throw new MortiseError(
    "schema_invalid",
    `Expected the ${where} to hold JSON values only, found ${describeType(value)} that JSON cannot hold`,
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has a prototype that is not ours but whose own prototype is null, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
