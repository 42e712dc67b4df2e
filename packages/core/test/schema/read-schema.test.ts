import { cpuUsage } from "node:process";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.js";
import { readSchema } from "../../src/schema/read-schema.js";

function expectRefusal(code: string, schema: JsonObject): void {
  expect(() => readSchema(schema)).toThrow(expect.objectContaining({ name: "MortiseError", code }));
}

function nest(depth: number, wrap: (inner: unknown) => JsonObject): JsonObject {
  let schema: JsonObject = { type: "string" };
  for (let level = 1; level < depth; level += 1) schema = wrap(schema);
  return schema;
}

describe("ordinary schemas", () => {
  for (const [name, schema] of [
    ["an empty one", {}],
    [
      "an object",
      { type: "object", properties: { a: { type: "string", pattern: "^[a-z]+$" }, b: true }, required: ["a"] },
    ],
    ["definitions", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }],
    [
      "draft 7",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        properties: { a: { $ref: "#/definitions/x~1y%25" } },
        definitions: { "x/y%": {} },
      },
    ],
    [
      "recursion",
      { type: "object", properties: { next: { $ref: "#" }, all: { items: { $ref: "#/properties/next" } } } },
    ],
    [
      "anchors",
      {
        $defs: { a: { $anchor: "name" }, b: { $dynamicAnchor: "node" }, c: { $id: "#old" } },
        allOf: [{ $ref: "#name" }, { $dynamicRef: "#node" }, { $ref: "#old" }],
      },
    ],
    [
      "an address of its own",
      {
        $id: "https://example.com/tree",
        properties: { a: { $ref: "https://example.com/tree#/$defs/x" }, b: { $ref: "tree" } },
        $defs: { x: {} },
      },
    ],
    [
      "a schema with an address inside",
      {
        $id: "https://example.com/a/",
        $defs: { b: { $id: "b.json", $defs: { c: {} } } },
        allOf: [{ $ref: "b.json" }, { $ref: "b.json#/$defs/c" }],
      },
    ],
    [
      "a urn",
      {
        $id: "urn:example:a",
        properties: { a: { $ref: "#/$defs/x" }, b: { $ref: "urn:example:a#/$defs/x" } },
        $defs: { x: {} },
      },
    ],
    ["a reference into a list", { anyOf: [{ $ref: "#/anyOf/1" }, { type: "null" }] }],
    [
      "properties that have the names of keywords",
      { properties: { $ref: { type: "string" }, pattern: { type: "string" }, $id: {}, items: { type: "number" } } },
    ],
    [
      "data that looks like a schema",
      {
        const: { $ref: "http://127.0.0.1/" },
        default: { pattern: "(a+)+" },
        enum: [{ $ref: "file:///x" }],
        examples: [{ $ref: "x" }],
      },
    ],
    ["dependencies on names", { dependencies: { a: ["b"], c: { required: ["d"] } } }],
  ] as const) {
    test(`accepts ${name}`, () => {
      expect(readSchema(schema).json).toEqual(schema);
    });
  }
});

describe("references", () => {
  for (const [name, schema] of [
    ["a network address", { $ref: "http://127.0.0.1:1/s.json" }],
    ["a secure network address", { properties: { a: { $ref: "https://example.com/s.json#/x" } } }],
    ["an address without scheme", { $ref: "//127.0.0.1/s.json" }],
    ["a file", { $ref: "file:///etc/passwd" }],
    ["a relative address", { $ref: "other.json" }],
    [
      "an address relative to the schema's own",
      { $id: "http://127.0.0.1:1/base/", properties: { a: { $ref: "other.json" } } },
    ],
    ["a dynamic reference to the network", { $dynamicRef: "http://127.0.0.1:1/s.json" }],
    ["a recursive reference to the network", { $recursiveRef: "http://127.0.0.1:1/s.json" }],
    ["a meta-schema", { $ref: "https://json-schema.org/draft/2020-12/schema" }],
    ["a missing definition", { $ref: "#/$defs/missing", $defs: {} }],
    ["a missing anchor", { $ref: "#missing" }],
    ["what objects inherit", { $ref: "#/constructor/name" }],
    ["an address that cannot be read", { $ref: "http://[" }],
    ["a fragment that cannot be read", { $ref: "#/%" }],
    ["an anchor of another schema", { $defs: { a: { $id: "https://example.com/a", $anchor: "x" } }, $ref: "#x" }],
  ] as const) {
    test(`refuses ${name}`, () => {
      expectRefusal("schema_ref", schema);
    });
  }

  for (const keyword of [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
    "contentSchema",
  ]) {
    test(`finds a reference in ${keyword}`, () => {
      expectRefusal("schema_ref", { [keyword]: { $ref: "http://127.0.0.1/" } });
    });
  }

  for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems", "items"]) {
    test(`finds a reference in the list of ${keyword}`, () => {
      const $schema = "https://json-schema.org/draft/2019-09/schema";
      expectRefusal("schema_ref", { $schema, [keyword]: [true, { $ref: "http://127.0.0.1/" }] });
    });
  }

  for (const keyword of [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
  ]) {
    test(`finds a reference in the map of ${keyword}`, () => {
      expectRefusal("schema_ref", { [keyword]: { a: { $ref: "http://127.0.0.1/" } } });
    });
  }

  test("finds a reference in a place that only another reference makes a schema", () => {
    expectRefusal("schema_ref", {
      $ref: "#/x-more/deep",
      "x-more": { deep: { properties: { a: { $ref: "http://127.0.0.1/" } } } },
    });
    expectRefusal("schema_invalid", { $ref: "#/const", const: { $ref: "#/default", minLength: "1" }, default: {} });
  });
});

describe("size", () => {
  test("accepts as many levels as allowed and no more", () => {
    const wrap = (inner: unknown): JsonObject => ({ properties: { p: inner } });

    expect(() => readSchema(nest(63, wrap))).not.toThrow();
    expectRefusal("schema_too_large", nest(66, wrap));
  });

  for (const [name, wrap] of [
    ["properties", (inner: unknown) => ({ properties: { p: inner } })],
    ["allOf", (inner: unknown) => ({ allOf: [inner] })],
    ["not", (inner: unknown) => ({ not: inner })],
    ["default", (inner: unknown) => ({ default: inner })],
    ["lists", (inner: unknown) => ({ enum: [[inner]] })],
    ["unknown keywords", (inner: unknown) => ({ "x-more": inner })],
  ] as const) {
    test(`refuses 5 000 levels of ${name} without running out of stack`, () => {
      expectRefusal("schema_too_large", { anyOf: [nest(5_000, wrap)] });
    });
  }

  test("refuses 200 000 branches quickly", () => {
    const schema = { anyOf: Array.from({ length: 200_000 }, (_, index) => ({ const: index })) };
    const started = cpuUsage();

    expectRefusal("schema_too_large", schema);

    expect(cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });

  test("refuses a document that is too long", () => {
    expectRefusal("schema_too_large", { description: "x".repeat(1_100_000) });
    expectRefusal("schema_too_large", { properties: { ["x".repeat(1_100_000)]: true } });
    expectRefusal("schema_too_large", { enum: Array.from({ length: 300_000 }, (_, index) => index) });
  });

  test("refuses a schema that contains itself", () => {
    const schema: Record<string, unknown> = {};
    schema.not = schema;

    expectRefusal("schema_too_large", schema);
  });

  test("counts a shared part as often as it stands in the document", () => {
    expectRefusal(
      "schema_too_large",
      nest(30, (inner) => ({ anyOf: [inner, inner] })),
    );
  });
});

describe("a reading", () => {
  test("is a frozen copy, which later changes do not reach", () => {
    const schema = { properties: { a: { type: "string", default: [{}] } } };

    const { json } = readSchema(schema);
    schema.properties.a.type = "number";

    expect(json).toEqual({ properties: { a: { type: "string", default: [{}] } } });
    expect(isFrozen(json)).toBe(true);
    expect(isFrozen(schema)).toBe(false);
  });

  test("lists every schema, those that only a reference makes one included", () => {
    const { json, schemas } = readSchema({
      properties: { a: { not: {} }, b: true },
      $ref: "#/x-more/0",
      "x-more": [{ items: {} }],
    });

    expect(schemas.size).toBe(5);
    expect(schemas.has(json)).toBe(true);
  });

  test("knows what each reference leads to", () => {
    const { json, targets } = readSchema({
      $ref: "#/$defs/a",
      $dynamicRef: "#b",
      $defs: { a: { type: "string" }, b: { $anchor: "b" } },
    });

    expect(targets.get(json)).toEqual([{ type: "string" }, { $anchor: "b" }]);
  });

  test.each([
    [{ properties: { a: { pattern: "a" } } }, true],
    [{ patternProperties: {} }, true],
    [{ $ref: "#/$defs/a", $defs: { a: {} } }, true],
    [{ $recursiveRef: "#" }, true],
    [{ const: { pattern: "a", $ref: "#" } }, false],
    [{ properties: { pattern: { type: "string" }, $ref: {} } }, false],
  ])("is suspicious with references and patterns alone: %j", (schema, suspicious) => {
    expect(readSchema(schema).suspicious).toBe(suspicious);
  });

  test("says where parameters are mirrored", () => {
    const { annotations } = readSchema({
      properties: { a: { type: "string", "x-mcp-header": "A" }, "x-mcp-header": { items: { "x-mcp-header": "B" } } },
      default: { "x-mcp-header": "C" },
    });

    expect(annotations).toEqual([
      { keys: ["properties", "a"], schema: { type: "string", "x-mcp-header": "A" } },
      { keys: ["properties", "x-mcp-header", "items"], schema: { "x-mcp-header": "B" } },
    ]);
  });
});

describe("what is malformed", () => {
  test.each([
    ["minLength", -1],
    ["minProperties", 1.5],
    ["maximum", "1"],
    ["multipleOf", 0],
    ["uniqueItems", "true"],
    ["format", 5],
    ["pattern", 5],
    ["dependentRequired", { a: "b" }],
    ["dependencies", { a: 1 }],
    ["oneOf", []],
    ["not", "string"],
    ["$defs", []],
    ["type", []],
  ])("is refused: %s %j", (keyword, value) => {
    expectRefusal("schema_invalid", { properties: { a: { [keyword]: value } } });
  });

  test("is named by its place and by the name of the schema", () => {
    const schema = { properties: { "a b": { items: { required: true } } } };

    expect(() => readSchema(schema, "input schema")).toThrow(
      /"properties\["a b"\]\.items\.required" of the input schema .*a list of names, received a boolean/,
    );
  });

  test("may stand under names that are no keywords", () => {
    const schema = { "x-limits": { minLength: -1 }, properties: { minLength: {} } };

    expect(readSchema(schema).json).toEqual(schema);
  });
});

function isFrozen(value: unknown): boolean {
  return (
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen))
  );
}
