import { describe, expect, test } from "vitest";
import { readAsks, toCapabilities } from "../src/capabilities.js";

describe("readAsks", () => {
  for (const [capabilities, asks] of [
    [{}, []],
    [{ elicitation: {} }, ["elicit.form"]],
    [{ elicitation: { form: {} } }, ["elicit.form"]],
    [{ elicitation: { url: {} } }, ["elicit.url"]],
    [{ elicitation: { form: {}, url: {} } }, ["elicit.form", "elicit.url"]],
    [{ sampling: {} }, ["sample"]],
    [{ sampling: { tools: {} } }, ["sample", "sample.tools"]],
    [{ roots: { listChanged: true } }, ["roots"]],
    [{ elicitation: null, sampling: true, roots: [] }, []],
    [{ tools: {}, extensions: { "x/y": {} } }, []],
  ] as const) {
    test(`reads ${JSON.stringify(capabilities)} as ${asks.join(", ") || "nothing"}`, () => {
      expect([...readAsks(capabilities)].sort()).toEqual([...asks].sort());
    });
  }
});

describe("toCapabilities", () => {
  for (const [asks, capabilities] of [
    [[], {}],
    [["elicit.form"], { elicitation: { form: {} } }],
    [["elicit.form", "elicit.url"], { elicitation: { form: {}, url: {} } }],
    [["sample"], { sampling: {} }],
    [["sample.tools"], { sampling: { tools: {} } }],
    [["roots"], { roots: {} }],
  ] as const) {
    test(`says ${JSON.stringify(capabilities)} for ${asks.join(", ") || "nothing"}`, () => {
      expect(toCapabilities(asks)).toEqual(capabilities);
    });
  }
});
