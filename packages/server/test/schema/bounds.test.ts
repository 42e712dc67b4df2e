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
  ])("%s", (_title, schema, expected) => {
    const { result, milliseconds } = timed(() => failure(() => compileInput(schema, WHERE)));

    expect(result.code).toBe(expected);
    expect(result.message).toContain('tool "bounds"');
    expect(milliseconds).toBeLessThan(500);
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
