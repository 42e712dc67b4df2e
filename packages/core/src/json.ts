/** A JSON object whose members are not known yet. */
export interface JsonObject {
  [member: string]: unknown;
}

/** Tells whether a value is a JSON object: neither `null` nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
