import { describe, expect, test } from "vitest";
import { wrapOutputSchema } from "../src/wrap-output.js";

describe("a wrapped output schema", () => {
  test.each([
    ["a reference to the whole", { $ref: "#" }, { $ref: "#/properties/result" }],
    ["a pointer", { $ref: "#/$defs/a" }, { $ref: "#/properties/result/$defs/a" }],
    ["a dynamic pointer", { $dynamicRef: "#/$defs/a" }, { $dynamicRef: "#/properties/result/$defs/a" }],
    ["an anchor", { $ref: "#a" }, { $ref: "#a" }],
    [
      "references below names that are keywords elsewhere",
      { dependencies: { default: { $ref: "#/$defs/a" }, $ref: ["#/b"] } },
      { dependencies: { default: { $ref: "#/properties/result/$defs/a" }, $ref: ["#/b"] } },
    ],
    ["data that looks like a reference", { const: { $ref: "#/a" } }, { const: { $ref: "#/a" } }],
    ["a schema with an address of its own", { $id: "urn:a", $ref: "#/a" }, { $id: "urn:a", $ref: "#/a" }],
  ])("keeps the target of %s", (_, schema, moved) => {
    const { properties } = wrapOutputSchema({ items: schema });

    expect(properties).toEqual({ result: { items: moved } });
  });

  test("says its dialect at the root", () => {
    const $schema = "http://json-schema.org/draft-07/schema#";

    expect(wrapOutputSchema({ $schema, type: "array" })).toEqual({
      $schema,
      type: "object",
      properties: { result: { type: "array" } },
      required: ["result"],
    });
  });
});
