import { describe, expect, test } from "vitest";
import { encodeHeaderValue } from "../src/header-value.js";
import { collectParamHeaders, matchesParam, type ParamHeader, readParam } from "../src/param-headers.js";

type Schema = Parameters<typeof collectParamHeaders>[0];

function objectOf(properties: Schema): Schema {
  return { type: "object", properties };
}

function annotated(type: unknown, name: unknown = "Region"): Schema {
  return { type, "x-mcp-header": name };
}

function param(type: ParamHeader["type"], ...path: string[]): ParamHeader {
  return { name: "Region", header: "mcp-param-region", path: path.length === 0 ? ["region"] : path, type };
}

describe("collectParamHeaders", () => {
  test("finds annotated properties in their order, also nested ones", () => {
    const schema = objectOf({
      region: annotated("string"),
      query: { type: "string" },
      where: objectOf({
        zone: annotated("integer", "Zone-Id"),
        deep: objectOf({ dry: annotated("boolean", "dry_run") }),
      }),
      last: annotated("string", "X1"),
    });

    expect(collectParamHeaders(schema)).toEqual([
      { name: "Region", header: "mcp-param-region", path: ["region"], type: "string" },
      { name: "Zone-Id", header: "mcp-param-zone-id", path: ["where", "zone"], type: "integer" },
      { name: "dry_run", header: "mcp-param-dry_run", path: ["where", "deep", "dry"], type: "boolean" },
      { name: "X1", header: "mcp-param-x1", path: ["last"], type: "string" },
    ]);
  });

  test("finds nothing in a schema without annotations", () => {
    expect(collectParamHeaders(objectOf({ a: { type: "string" }, b: true }))).toEqual([]);
    expect(collectParamHeaders({ type: "object" })).toEqual([]);
  });

  test("accepts every character of a header name", () => {
    const name = "!#$%&'*+-.^_`|~09azAZ";

    expect(collectParamHeaders(objectOf({ a: annotated("string", name) }))[0]?.name).toBe(name);
  });

  test("does not take properties or data that have the annotation's name for annotations", () => {
    const schema = objectOf({
      "x-mcp-header": { type: "number" },
      mode: {
        const: { "x-mcp-header": "" },
        default: { "x-mcp-header": 1 },
        enum: [{ "x-mcp-header": null }],
        examples: [{ "x-mcp-header": 2 }],
      },
    });

    expect(collectParamHeaders(schema)).toEqual([]);
  });

  for (const [why, name] of [
    ["an empty name", ""],
    ["a blank", "My Region"],
    ["a colon", "Region:Primary"],
    ["a character outside ASCII", "Région"],
    ["a tab", "Region\tId"],
    ["a line feed", "Region\nX-Admin"],
    ["a carriage return", "Region\r"],
    ["a final line feed", "Region\n"],
    ["a slash", "a/b"],
    ["parentheses", "a(b)"],
    ["a number", 7],
    ["null", null],
    ["a list", ["Region"]],
  ] as const) {
    test(`refuses ${why} as a name`, () => {
      expect(() => collectParamHeaders(objectOf({ a: annotated("string", name) }))).toThrow(
        expect.objectContaining({ code: "invalid_param_header" }),
      );
    });
  }

  for (const type of ["number", "object", "array", "null", undefined, ["string", "null"], "String"]) {
    test(`refuses an annotation on type ${JSON.stringify(type)}`, () => {
      expect(() => collectParamHeaders(objectOf({ a: annotated(type) }))).toThrow(
        expect.objectContaining({ code: "invalid_param_header" }),
      );
    });
  }

  for (const second of ["Region", "region", "REGION"]) {
    test(`refuses ${second} beside Region`, () => {
      const schema = objectOf({ a: annotated("string"), b: objectOf({ c: annotated("string", second) }) });

      expect(() => collectParamHeaders(schema)).toThrow(expect.objectContaining({ code: "invalid_param_header" }));
    });
  }

  const inside = objectOf({ a: annotated("string") });
  for (const [where, schema] of [
    ["the root", { ...objectOf({}), "x-mcp-header": "Region" }],
    ["items", objectOf({ list: { type: "array", items: inside } })],
    ["items that are a list", objectOf({ list: { type: "array", items: [inside] } })],
    ["prefixItems", objectOf({ list: { prefixItems: [annotated("string")] } })],
    ["contains", objectOf({ list: { contains: annotated("string") } })],
    ["additionalProperties", { type: "object", additionalProperties: annotated("string") }],
    ["patternProperties", { type: "object", patternProperties: { "^a": annotated("string") } }],
    ["propertyNames", { type: "object", propertyNames: annotated("string") }],
    ["oneOf", { ...objectOf({}), oneOf: [inside] }],
    ["anyOf", objectOf({ a: { anyOf: [annotated("string"), { type: "null" }] } })],
    ["allOf", { allOf: [inside] }],
    ["not", { not: inside }],
    ["if", { if: inside }],
    ["then", JSON.parse(JSON.stringify({ if: {}, THEN: inside }).replace("THEN", "then"))],
    ["else", { if: {}, else: inside }],
    ["$defs", { $defs: { a: annotated("string") } }],
    ["definitions", { definitions: { a: inside } }],
    ["dependentSchemas", { dependentSchemas: { a: inside } }],
    ["properties below items", objectOf({ a: objectOf({ list: { items: objectOf({ b: inside }) } }) })],
  ] as const) {
    test(`refuses an annotation in ${where}`, () => {
      expect(() => collectParamHeaders(schema)).toThrow(expect.objectContaining({ code: "invalid_param_header" }));
    });
  }

  test("reads a very deep schema without a stack", () => {
    let schema = objectOf({ a: annotated("string") });
    for (let depth = 0; depth < 3_000; depth += 1) schema = objectOf({ p: schema });

    expect(collectParamHeaders(schema)[0]?.path).toHaveLength(3_001);
  });

  test("refuses a schema of 200 000 branches", () => {
    const schema = { anyOf: Array.from({ length: 200_000 }, () => ({ type: "string" })) };

    expect(() => collectParamHeaders(schema)).toThrow(expect.objectContaining({ code: "schema_too_large" }));
  });

  test("refuses a schema that contains itself", () => {
    const schema = objectOf({});
    schema.not = schema;

    expect(() => collectParamHeaders(schema)).toThrow(expect.objectContaining({ code: "schema_too_large" }));
  });
});

describe("readParam", () => {
  test("reads along the path", () => {
    expect(readParam({ a: { b: "x" } }, ["a", "b"])).toBe("x");
    expect(readParam({ a: 0 }, ["a"])).toBe(0);
    expect(readParam({ a: false }, ["a"])).toBe(false);
    expect(readParam({ a: "" }, ["a"])).toBe("");
  });

  for (const args of [undefined, null, {}, { a: null }, { a: {} }, { a: [1] }, [], "a"]) {
    test(`gives nothing for ${JSON.stringify(args)}`, () => {
      expect(readParam(args, ["a"])).toBeUndefined();
    });
  }

  test("never reads what objects inherit", () => {
    expect(readParam({}, ["constructor", "name"])).toBeUndefined();
    expect(readParam({ a: "text" }, ["a", "length"])).toBeUndefined();
    expect(readParam(JSON.parse('{"__proto__":{"x":"own"}}'), ["__proto__", "x"])).toBe("own");
  });
});

describe("matchesParam", () => {
  for (const [header, value, expected] of [
    ["us-west1", "us-west1", true],
    ["us-west2", "us-west1", false],
    ["US-WEST1", "us-west1", false],
    ["=?base64?SGVsbG8=?=", "Hello", true],
    ["=?base64?SGVsbG8?=", "Hello", false],
    ["=?base64?SGVs!!!bG8=?=", "Hello", false],
    ["SGVsbG8=", "SGVsbG8=", true],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8=", true],
    ["=?base64?Zm9v?=", "=?base64?Zm9v?=", false],
    [undefined, "test-value", false],
    ["", "", true],
    [undefined, "", false],
    ["caf\u00e9", "caf\u00e9", false],
    ["true", "true", true],
    [undefined, null, true],
    [undefined, undefined, true],
    ["x", null, false],
    ["x", undefined, false],
    ["", undefined, false],
    ["null", null, false],
    [undefined, { a: 1 }, true],
    ["x", ["x"], false],
  ] as const) {
    test(`${expected ? "accepts" : "refuses"} the header ${JSON.stringify(header)} for ${JSON.stringify(value)}`, () => {
      expect(matchesParam(param("string"), header, { region: value })).toBe(expected);
    });
  }

  for (const [header, value, expected] of [
    ["42", 42, true],
    ["42.0", 42, true],
    ["4.2e1", 42, true],
    ["042", 42, true],
    ["=?base64?NDI=?=", 42, true],
    ["-7", -7, true],
    ["0", -0, true],
    ["43", 42, false],
    ["0x2a", 42, false],
    ["", 0, false],
    ["+42", 42, false],
    ["42 43", 42, false],
    ["Infinity", Number.MAX_SAFE_INTEGER, false],
    ["9007199254740991", 9007199254740991, true],
    ["9007199254740993", 9007199254740992, false],
    ["9007199254740992", 9007199254740992, false],
    ["1.5", 1.5, true],
    ["42", "42", true],
  ] as const) {
    test(`${expected ? "accepts" : "refuses"} the header ${JSON.stringify(header)} for the integer ${JSON.stringify(value)}`, () => {
      expect(matchesParam(param("integer"), header, { region: value })).toBe(expected);
    });
  }

  for (const [header, value, expected] of [
    ["true", true, true],
    ["false", false, true],
    ["True", true, false],
    ["1", true, false],
    ["false", true, false],
  ] as const) {
    test(`${expected ? "accepts" : "refuses"} the header ${header} for ${value}`, () => {
      expect(matchesParam(param("boolean"), header, { region: value })).toBe(expected);
    });
  }

  test("compares nested values", () => {
    expect(matchesParam(param("string", "a", "b"), "x", { a: { b: "x" } })).toBe(true);
    expect(matchesParam(param("string", "a", "b"), undefined, { a: null })).toBe(true);
  });

  test("accepts every value that the sender encodes", () => {
    for (const value of ["plain", " padded ", "東京", "a\nb", "=?base64?x?=", "", 0, -5, true, false]) {
      expect(matchesParam(param("string"), encodeHeaderValue(value), { region: value })).toBe(true);
    }
  });
});
