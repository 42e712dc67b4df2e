import { MortiseError } from "@mortise/core";
import { describe, expect, test } from "vitest";
import { spawnServer } from "../src/client.js";
import { stdio } from "../src/index.js";

function codeOf(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    if (error instanceof MortiseError) return error.code;
    throw error;
  }
  return "none";
}

describe("a limit of bytes", () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1mb", null])("cannot be %j", (maxMessageBytes) => {
    const options = { maxMessageBytes: maxMessageBytes as number };

    expect(codeOf(() => stdio(options))).toBe("invalid_options");
    expect(codeOf(() => spawnServer({ command: "node", ...options }))).toBe("invalid_options");
  });
});

describe("a limit of time", () => {
  test.each([-1, Number.NaN, "5s", null])("cannot be %j", (time) => {
    const wrong = time as number;

    expect(codeOf(() => stdio({ drainTimeout: wrong }))).toBe("invalid_options");
    expect(codeOf(() => spawnServer({ command: "node", closeTimeout: wrong }))).toBe("invalid_options");
  });

  test.each([0, Number.POSITIVE_INFINITY])("can be %j", (time) => {
    expect(codeOf(() => stdio({ drainTimeout: time }))).toBe("none");
    expect(codeOf(() => spawnServer({ command: "node", closeTimeout: time }))).toBe("none");
  });
});
