import { cpuUsage } from "node:process";
import { describe, expect, test } from "vitest";
import { compileInput, compileOutput } from "../../src/schema/compiled.js";
import { failure } from "./failure.js";

const WHERE = 'tool "bounds"';

function timed<T>(run: () => T): { result: T; milliseconds: number } {
  const start = cpuUsage();
  const result = run();
  return { result, milliseconds: cpuUsage(start).user / 1_000 };
}

function nest(depth: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = { properties: { a: schema } };
  return schema;
}

const cyclic: Record<string, unknown> = { type: "object" };
cyclic["properties"] = { self: cyclic };

/** Twenty-five levels of references, each used twice by the one above it. */
const multiplied = Object.fromEntries(
  Array.from({ length: 25 }, (_, level) => [
    `l${level}`,
    { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
  ]),
);

describe("what would harm a server is refused at registration, soon and with the tool's name", () => {
  test.each([
    ["a reference to the network", { properties: { a: { $ref: "http://127.0.0.1:9/s.json" } } }, "schema_ref"],
    [
      "a reference relative to a network base",
      { $id: "http://127.0.0.1:9/base/", properties: { a: { $ref: "other.json" } } },
      "schema_ref",
    ],
    ["a reference to a file", { properties: { a: { $ref: "file:///etc/passwd" } } }, "schema_ref"],
    [
      "a dynamic reference to the network",
      { properties: { a: { $dynamicRef: "http://127.0.0.1:9/s.json#x" } } },
      "schema_ref",
    ],
    ["a reference to nowhere", { properties: { a: { $ref: "#/$defs/missing" } } }, "schema_ref"],
    ["a dialect on the network", { $schema: "http://127.0.0.1:9/meta" }, "schema_dialect"],
    ["a schema of depth 5000", nest(5000), "schema_too_large"],
    ["a schema that holds itself", cyclic, "schema_too_large"],
    [
      "200 000 branches",
      { anyOf: Array.from({ length: 200_000 }, (_, index) => ({ const: index })) },
      "schema_too_large",
    ],
  ])("%s", (_title, schema, expected) => {
    const { result, milliseconds } = timed(() => failure(() => compileInput(schema, WHERE)));

    expect(result.code).toBe(expected);
    expect(result.message).toContain('tool "bounds"');
    expect(milliseconds).toBeLessThan(500);
  });
});

describe("what takes a closer look is never used when it would harm a server, and its owner told with the tool's name", () => {
  test.each([
    ["a pattern of exponential time", { properties: { a: { pattern: "^(a+)+$" } } }, "unsafe_pattern"],
    ["a property pattern of exponential time", { patternProperties: { "^(a+)+$": {} } }, "unsafe_pattern"],
    ["a reference that leads back to itself", { $ref: "#" }, "schema_ref"],
    [
      "a longer way back to itself",
      {
        $ref: "#/$defs/a",
        $defs: { a: { anyOf: [{ not: { $ref: "#here" } }] }, b: { $anchor: "here", $ref: "#/$defs/a" } },
      },
      "schema_ref",
    ],
    [
      "references that multiply",
      { $ref: "#/$defs/l0", $defs: { ...multiplied, l25: { type: "object" } } },
      "schema_too_large",
    ],
    [
      "dynamic references that multiply",
      JSON.parse(
        JSON.stringify({ $ref: "#/$defs/l0", $defs: { ...multiplied, l25: {} } }).replaceAll(
          /"\$ref":"#\/\$defs\/l(?=[1-9])/g,
          '"$dynamicRef":"#/$defs/l',
        ),
      ),
      "schema_too_large",
    ],
    [
      "a chain of references",
      {
        $ref: "#/$defs/c0",
        $defs: Object.fromEntries(
          [...Array(9000).keys()].map((n) => [`c${n}`, n === 8999 ? {} : { $ref: `#/$defs/c${n + 1}` }]),
        ),
      },
      "schema_too_large",
    ],
    ["a pattern that is no expression", { properties: { a: { pattern: "(" } } }, "schema_invalid"],
    ["a property pattern that is no expression", { patternProperties: { "[": {} } }, "schema_invalid"],
    [
      "thousands of hostile patterns",
      {
        properties: Object.fromEntries([...Array(5_000).keys()].map((n) => [n, { pattern: `^((?:ab?){90}c){${n}}$` }])),
      },
      "unsafe_pattern",
    ],
  ])("%s", async (_title, schema, expected) => {
    const start = cpuUsage();
    const compiled = compileInput(schema, WHERE);

    const problem = await compiled.verified;
    const spent = cpuUsage(start).user / 1_000;

    expect(problem).toMatchObject({ code: expected, message: expect.stringContaining('tool "bounds"') });
    expect(spent).toBeLessThan(500);
    await expect(compiled.check({})).rejects.toMatchObject({ name: "JsonRpcError", code: -32603 });
  });

  test("but what is harmless in the same way is used", async () => {
    const patterns = [...Array(3_000).keys()].map((n) => [`^(?:[a-z]+-)*v${n}\\.\\d{1,3}$`, {}]);
    const compiled = compileInput({ patternProperties: Object.fromEntries(patterns) }, WHERE);

    expect(await compiled.verified).toBeUndefined();
    expect(await compiled.check({})).toMatchObject({ ok: true });
  });

  test("and what holds neither patterns nor references needs none", () => {
    expect(compileInput({ properties: { a: { format: "email" } } }, WHERE).verified).toBeUndefined();
  });
});

describe("what is large but allowed is checked in time", () => {
  test.each([
    [
      "many properties",
      { properties: Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`p${index}`, { type: "string" }])) },
      { p8999: "x" },
      { p8999: 1 },
    ],
    ["many alternatives", { anyOf: Array.from({ length: 9000 }, (_, index) => ({ const: index })) }, 8999, -1],
    ["a deep schema", nest(30), { a: {} }, { a: { a: [], b: 1 } }],
  ])("%s", async (_title, schema, good, wrong) => {
    const compiled = compileOutput(schema, WHERE);
    await compiled.check(wrong);

    const accepted = timed(() => compiled.check(good));
    const refused = timed(() => compiled.check(wrong));

    expect(accepted.result).toMatchObject({ ok: true });
    expect(refused.result).toHaveProperty("ok");
    expect(Math.max(accepted.milliseconds, refused.milliseconds)).toBeLessThan(500);
  });

  test("a value deeper than the stack is an issue, not a crash", async () => {
    const compiled = compileInput({ properties: { kid: { $ref: "#" } } }, WHERE);
    let value = {};
    for (let depth = 0; depth < 200_000; depth += 1) value = { kid: value };

    expect(await compiled.check(value)).toMatchObject({ ok: false, issues: [{ path: "" }] });
  });

  test.each(["email", "uri", "hostname", "date-time", "uuid", "ipv6", "regex", "uri-template"])(
    "the format %s takes no exponential time",
    async (format) => {
      const compiled = compileOutput({ format }, WHERE);
      const values = [
        `${"a".repeat(50_000)}!`,
        `a@${"a-".repeat(25_000)}!`,
        `${"a.".repeat(25_000)}!`,
        ":".repeat(50_000),
        "{a}".repeat(15_000),
      ];
      await compiled.check("");

      const slowest = Math.max(...values.map((value) => timed(() => compiled.check(value)).milliseconds));

      expect(slowest).toBeLessThan(500);
    },
  );
});
