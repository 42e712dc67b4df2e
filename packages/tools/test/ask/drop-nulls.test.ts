import { expect, test } from "vitest";
import { dropNulls } from "../../src/ask/drop-nulls.js";

const SCHEMA = {
  type: "object",
  properties: {
    must: { type: "string" },
    may: { type: "string" },
    empty: { type: ["string", "null"] },
    list: { type: "array", items: { type: "object", properties: { may: { enum: ["a"] } } } },
  },
  required: ["must"],
};

test("leaves out members that may be absent but not null", () => {
  const value = { must: "a", may: null, empty: null, list: [{ may: null }, { may: "a" }] };

  expect(dropNulls(value, SCHEMA)).toEqual({ must: "a", empty: null, list: [{}, { may: "a" }] });
});

test("keeps null where a member is demanded, so that it is seen", () => {
  expect(dropNulls({ must: null }, SCHEMA)).toEqual({ must: null });
});

test("keeps members that no schema speaks of", () => {
  expect(dropNulls({ other: null, list: null }, { type: "object" })).toEqual({ other: null, list: null });
});
