import { Ajv2020 } from "ajv/dist/2020.js";

/** An independent verdict on a value, by another validator than ours. */
export function judge(schema: object): (value: unknown) => boolean {
  return new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
}

/** Every `$ref` in a schema. */
export function listRefs(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value] : listRefs(value),
  );
}
