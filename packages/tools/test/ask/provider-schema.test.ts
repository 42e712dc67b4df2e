import { isObject, type JsonObject } from "@mortise/core";
import { expect, test } from "vitest";
import { toProviderSchema } from "../../src/ask/provider-schema.js";

/** What a provider lets pass: checked here by hand, apart from the code that makes it. */
function findUnspoken(schema: unknown, path = "schema"): string[] {
  if (!isObject(schema)) return [`${path} is no object`];
  const known = ["type", "description", "properties", "required", "additionalProperties", "items", "anyOf", "enum"];
  const odd = Object.keys(schema).filter((key) => !known.includes(key));
  const { type, properties, required, items, anyOf } = schema;
  const here = odd.map((key) => `${path}.${key}`);
  if (Array.isArray(anyOf)) return [...here, ...anyOf.flatMap((each, at) => findUnspoken(each, `${path}.anyOf.${at}`))];
  if (typeof type !== "string") here.push(`${path} has no type`);
  if (type === "array") return [...here, ...findUnspoken(items, `${path}.items`)];
  if (type !== "object" || !isObject(properties)) return here;
  if (schema.additionalProperties !== false) here.push(`${path} is open`);
  if (JSON.stringify(required) !== JSON.stringify(Object.keys(properties))) here.push(`${path} does not demand all`);
  return [...here, ...Object.entries(properties).flatMap(([name, each]) => findUnspoken(each, `${path}.${name}`))];
}

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), ...more };
}

/** What became of one member. */
function member(schema: unknown): unknown {
  const converted = toProviderSchema(object({ it: schema }));
  return isObject(converted?.properties) ? converted.properties.it : undefined;
}

test.each<readonly [string, unknown, unknown]>([
  ["annotations go", { type: "string", examples: ["a"], default: "a", $comment: "no" }, { type: "string" }],
  ["a word that is the only one is a choice of one", { const: "a" }, { type: "string", enum: ["a"] }],
  ["a number that is the only one is said in words", { const: 3 }, { type: "integer", description: "(one of: 3)" }],
  ["choices of several types cannot be said", { enum: [1, 2.5] }, undefined],
  ["choices of whole numbers are said in words", { enum: [1, 2] }, { type: "integer", description: "(one of: 1, 2)" }],
  ["an empty choice is said in words", { enum: ["", "a"] }, { type: "string", description: '(one of: "", "a")' }],
  [
    "bounds are said in words",
    { type: "number", description: "How far", exclusiveMinimum: 0, format: "float" },
    { type: "number", description: 'How far (exclusiveMinimum: 0, format: "float")' },
  ],
  ["null is a branch", { type: ["string", "null"] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
  [
    "one of several is any of them",
    { oneOf: [{ type: "string" }, { type: "integer" }] },
    { anyOf: [{ type: "string" }, { type: "integer" }] },
  ],
  [
    "a type beside branches holds for each",
    { type: "string", anyOf: [{ enum: ["a"] }, { pattern: "^b" }] },
    {
      anyOf: [
        { type: "string", enum: ["a"] },
        { type: "string", description: '(pattern: "^b")' },
      ],
    },
  ],
  [
    "places of a list are items of any of their kinds",
    { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }, { type: "string" }] },
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
  ],
  ["a list of anything cannot be said", { type: "array" }, undefined],
  ["an object of anything cannot be said", { type: "object" }, undefined],
  ["members of any name cannot be said", { type: "object", additionalProperties: { type: "string" } }, undefined],
  ["members by pattern cannot be said", object({ a: { type: "string" } }, { patternProperties: {} }), undefined],
  ["anything cannot be said", true, undefined],
  ["a reference cannot be said", { $ref: "#" }, undefined],
])("%s", (_title, schema, expected) => {
  const found = member(schema);

  expect(found).toEqual(expected);
});

test("what may be absent may be null", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "null" } }, required: ["b"] };

  expect(toProviderSchema(schema)).toEqual({
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] }, b: { type: "null" } },
    required: ["a", "b"],
    additionalProperties: false,
  });
});

test("demands no member that does not exist", () => {
  const converted = toProviderSchema(object({ a: { type: "string" } }, { required: ["a", "ghost"] }));

  expect(converted?.required).toEqual(["a"]);
});

test("members with the names of keywords stay", () => {
  const names = ["$ref", "type", "properties", "enum", "const", "__proto__", "required"];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));

  const converted = toProviderSchema(object(properties));

  expect(Object.keys(converted?.properties as object)).toEqual(names);
  expect(findUnspoken(converted)).toEqual([]);
});

test("is the same when it is converted again", () => {
  const schema = object(
    {
      a: { type: ["integer", "null"], minimum: 1 },
      b: { type: "array", prefixItems: [{ const: "x" }, { enum: [1, 2] }] },
    },
    { required: ["b"], title: "Thing" },
  );
  const once = toProviderSchema(schema);

  expect(once && toProviderSchema(once)).toEqual(once);
});

test("makes something that passes, or nothing, of any schema", () => {
  let seed = 7;
  const pick = <T>(items: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    return items[seed % items.length] as T; // an index within the list
  };
  const make = (level: number): unknown => {
    const deeper = (): unknown => (level > 3 ? { type: "string" } : make(level + 1));
    return pick<() => unknown>([
      () => ({ type: pick(["string", "number", "integer", "boolean", "null"]), minLength: 2, format: "odd" }),
      () => ({
        type: "object",
        properties: { [pick(["a", "type", "$ref"])]: deeper() },
        required: pick([[], ["a"], ["b"]]),
      }),
      () => ({ type: "object", properties: {}, propertyNames: { maxLength: 3 } }),
      () => ({ type: "array", items: deeper() }),
      () => ({ type: "array", prefixItems: [deeper(), deeper()] }),
      () => ({ anyOf: [deeper(), { type: "null" }] }),
      () => ({ enum: pick<unknown[]>([["a", "b"], [1, 2], [""], [], [null], [{}], ["a", 1]]) }),
      () => ({ const: pick<unknown>(["a", 1, null, true, {}]) }),
      () => pick<unknown>([true, false, null, [], "odd", { type: "odd" }, { type: [] }, { $schema: "x", $id: "y" }]),
    ])();
  };

  for (let round = 0; round < 500; round += 1) {
    const converted = toProviderSchema(object({ one: make(0), two: { type: "string" } }));
    if (converted === undefined) continue;
    expect(findUnspoken(converted)).toEqual([]);
    expect(toProviderSchema(converted)).toEqual(converted);
  }
});
