import { describe, expect, test } from "vitest";
import { compileInput, compileOutput } from "../../src/schema/compiled.js";
import { failure } from "./failure.js";
import { judge } from "./judge.js";

const WHERE = 'tool "plain"';

/** Uses about every keyword that has to survive, with members of other specifications among them. */
const RICH = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string", "x-mcp-header": "Name" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
    anything: true,
    nothing: false,
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
  "x-vendor": { keep: [1, null, "two"] },
};

describe("publishing", () => {
  test("keeps every keyword, in its order", () => {
    expect(JSON.stringify(compileInput(RICH, WHERE).json)).toBe(JSON.stringify(RICH));
  });

  test("neither changes the caller's object nor follows its later changes", () => {
    const schema = { properties: { a: { type: "string" } } };
    const before = structuredClone(schema);

    const { json } = compileInput(schema, WHERE);
    const unchanged = structuredClone(schema);
    schema.properties.a.type = "number";

    expect(unchanged).toEqual(before);
    expect(json).toHaveProperty("properties.a.type", "string");
  });

  test("accepts a frozen schema and gives a frozen one", async () => {
    const schema = Object.freeze({
      type: "object",
      properties: Object.freeze({ a: Object.freeze({ type: "string" }) }),
    });
    const compiled = compileInput(schema, WHERE);

    expect(Object.isFrozen(compiled.json) && Object.isFrozen(compiled.json["properties"])).toBe(true);
    expect(await compiled.check({ a: "x" })).toMatchObject({ ok: true });
  });

  test("keeps a property named __proto__", async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"number"}},"required":["__proto__"]}',
    );
    const compiled = compileInput(schema, WHERE);

    expect(JSON.stringify(compiled.json)).toBe(JSON.stringify(schema));
    expect(await compiled.check(JSON.parse('{"__proto__":1}'))).toMatchObject({ ok: true });
    expect(await compiled.check({})).toMatchObject({ ok: false, issues: [{ path: "__proto__" }] });
  });

  test("leaves out members that are undefined", () => {
    expect(Object.keys(compileInput({ type: "object", properties: undefined }, WHERE).json)).toEqual(["type"]);
  });
});

describe("checking", () => {
  test("hands on the very value that came in", async () => {
    const compiled = compileInput({ type: "object", properties: { n: { type: "number", default: 3 } } }, WHERE);
    const value = { extra: true };

    const checked = await compiled.check(value);

    expect(checked.ok && checked.value).toBe(value);
    expect(value).toEqual({ extra: true });
  });

  test("is synchronous from the second call on when the schema is simple and the value right", async () => {
    const compiled = compileInput({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }, WHERE);

    expect(await compiled.check({ a: "x" })).toEqual({ ok: true, value: { a: "x" } });
    expect(compiled.check({ a: "y" })).toEqual({ ok: true, value: { a: "y" } });
  });

  test("is synchronous once the validator is there", async () => {
    const compiled = compileInput({ type: "object", minProperties: 0 }, WHERE);

    await compiled.check({});

    expect(compiled.check({})).toEqual({ ok: true, value: {} });
  });

  test("keeps its verdicts when the validator takes over from the quick check", async () => {
    const compiled = compileInput({ type: "object", required: ["a"] }, WHERE);

    for (let call = 0; call < 200; call += 1) expect((await compiled.check({ a: call })).ok).toBe(true);

    expect(compiled.check({})).toMatchObject({ ok: false, issues: [{ path: "a" }] });
  });

  test("serves calls that come in while the validator loads", async () => {
    const compiled = compileInput({ type: "object", minProperties: 1, required: ["a"] }, WHERE);

    const checked = await Promise.all([compiled.check({ a: 1 }), compiled.check({}), compiled.check({ a: 2 })]);

    expect(checked.map(({ ok }) => ok)).toEqual([true, false, true]);
  });

  test("reads a type list as a union", async () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: ["string", "null"] },
        b: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
        c: { type: ["string", "integer"] },
        d: { enum: ["x", null] },
      },
    };
    const compiled = compileInput(schema, WHERE);
    const accepts = judge(schema);
    const values = ["a", "b", "c", "d"].flatMap((name) => ["x", null, 3].map((value) => ({ [name]: value })));

    const verdicts = await Promise.all(values.map(async (value) => (await compiled.check(value)).ok));

    expect(verdicts).toEqual([true, true, false, false, true, true, true, false, true, true, true, false]);
    expect(values.map((value) => accepts(value))).toEqual(verdicts);
  });

  test("describes any result", async () => {
    const compiled = compileOutput({ type: "array", prefixItems: [{ type: "string" }], items: false }, WHERE);

    expect(await compiled.check(["a"])).toMatchObject({ ok: true });
    expect(await compiled.check(["a", 1])).toMatchObject({ ok: false, issues: [{ path: "[1]" }] });
  });

  test("refuses __proto__ where other members are not allowed", async () => {
    const compiled = compileInput({ type: "object", properties: { a: {} }, additionalProperties: false }, WHERE);

    const checked = await compiled.check(JSON.parse('{"__proto__":{"isAdmin":true},"a":1}'));

    expect(checked).toEqual({ ok: false, issues: [{ path: "__proto__", message: expect.any(String) }] });
    expect("isAdmin" in {}).toBe(false);
  });
});

describe("issues", () => {
  const compiled = compileInput(
    {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, "a/b~c d": { enum: [1, "x"] } },
            required: ["name"],
            additionalProperties: false,
          },
        },
        kind: { const: "fixed" },
      },
    },
    WHERE,
  );

  test.each([
    [
      "a wrong type",
      { items: [{ name: 3 }] },
      [{ path: "items[0].name", message: "must be string, received a number" }],
    ],
    ["a missing member", { items: [{}] }, [{ path: "items[0].name", message: "is required" }]],
    ["a member too many", { items: [{ name: "a", z: 1 }] }, [{ path: "items[0].z", message: "is not allowed" }]],
    [
      "a name to be quoted",
      { items: [{ name: "a", "a/b~c d": 2 }] },
      [{ path: 'items[0]["a/b~c d"]', message: 'must be one of 1, "x"' }],
    ],
    ["a constant", { kind: "other" }, [{ path: "kind", message: 'must be "fixed"' }]],
    ["the root", [], [{ path: "", message: "must be object, received an array" }]],
  ])("name the place of %s and what was expected", async (_title, value, issues) => {
    expect(await compiled.check(value)).toEqual({ ok: false, issues });
  });

  test("are few, however many members are wrong", async () => {
    const checked = await compileOutput({ items: { type: "string" } }, WHERE).check(Array(50_000).fill(1));

    expect(checked.ok === false && checked.issues.length).toBeLessThanOrEqual(20);
  });
});

describe("a malformed schema", () => {
  test.each([
    ["null", null],
    ["nothing", undefined],
    ["an array", []],
    ["text", "object"],
    ["a boolean", true],
    ["properties as an array", { properties: [] }],
    ["properties with a member that is no schema", { properties: { a: "string" } }],
    ["an unknown type", { properties: { a: { type: "text" } } }],
    ["required as a boolean", { properties: { a: { required: true } } }],
    ["a negative length", { properties: { a: { minLength: -1 } } }],
    ["a length in words", { properties: { a: { minLength: "1); evil(" } } }],
    ["an empty allOf", { allOf: [] }],
    ["an enumeration that is no list", { properties: { a: { enum: "x" } } }],
    ["list items without an older dialect", { properties: { a: { items: [{ type: "string" }] } } }],
    ["a function among its members", { properties: { a: { default: () => 1 } } }],
    ["a date among its members", { properties: { a: { default: new Date(0) } } }],
    ["a number that JSON lacks", { properties: { a: { default: Number.NaN } } }],
  ])("%s is refused at registration with the tool's name", (_title, schema) => {
    const { code, message } = failure(() => compileInput(schema, WHERE));

    expect(code).toBe("schema_invalid");
    expect(message).toContain('tool "plain"');
  });

  test("is named by the place that is wrong", () => {
    const schema = { properties: { list: { items: { properties: { "a b": { minimum: "1" } } } } } };

    expect(failure(() => compileInput(schema, WHERE)).message).toContain(
      'properties.list.items.properties[\\"a b\\"].minimum'.replaceAll("\\", ""),
    );
  });

  test("may have sub-schemas that are booleans", async () => {
    const compiled = compileInput({ properties: { a: true, b: false } }, WHERE);

    expect(await compiled.check({ a: 1 })).toMatchObject({ ok: true });
    expect(await compiled.check({ b: 1 })).toMatchObject({ ok: false });
  });
});
