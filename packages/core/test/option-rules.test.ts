import { describe, expect, it } from "vitest";
import { BYTES, COUNT, checkOptions, FLAG, invalidOptions, LIST, MEMBERS, oneOf, TEXT } from "../src/index.js";

const RULES = {
  size: BYTES,
  times: COUNT,
  on: FLAG,
  name: TEXT,
  more: MEMBERS,
  all: LIST,
  mode: oneOf("fast", "safe"),
};

describe("checkOptions", () => {
  it("takes options that hold, and those that are not there", () => {
    expect(() =>
      checkOptions({ size: 1, times: 0, on: false, name: "", more: {}, all: [], mode: "safe" }, RULES),
    ).not.toThrow();
    expect(() => checkOptions({ size: undefined } as object, RULES)).not.toThrow();
  });

  it.each([
    [{ size: 0 }, '"size"'],
    [{ times: 1.5 }, '"times"'],
    [{ on: 1 }, '"on"'],
    [{ name: 1 }, '"name"'],
    [{ more: [] }, '"more"'],
    [{ all: {} }, '"all"'],
    [{ mode: "slow" }, '"mode"'],
    [{ other: 1 }, '"other"'],
  ])("names what is wrong in %j", (options, named) => {
    expect(() => checkOptions(options as object, RULES)).toThrow(
      expect.objectContaining({ code: "invalid_options", message: expect.stringContaining(named) }),
    );
  });

  it("puts what stands before the names into the error", () => {
    expect(() => checkOptions({ on: 1 } as object, RULES, "lenient.")).toThrow('"lenient.on"');
  });

  it("refuses options that are no object", () => {
    expect(() => checkOptions(null as never, RULES)).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe("invalidOptions", () => {
  it("says what was expected, and keeps what happened below", () => {
    const cause = new Error("x");

    expect(invalidOptions("a name")).toMatchObject({ code: "invalid_options", message: "Expected a name" });
    expect(invalidOptions("a name")).not.toHaveProperty("cause");
    expect(invalidOptions("a name", cause).cause).toBe(cause);
  });
});
