import { describe, expect, test } from "vitest";
import { coversScopes, selectScope, uniteScopes } from "../../src/oauth/scopes.js";

const NOTHING = {
  challenged: undefined,
  supported: undefined,
  requested: undefined,
  wanted: undefined,
  offered: undefined,
  refreshes: true,
};

describe("scopes", () => {
  test("are united without repetition, and are none when there is none", () => {
    expect(uniteScopes("a b", undefined, "  b\tc ")).toBe("a b c");
    expect(uniteScopes("", undefined)).toBeUndefined();
  });

  test("that no scope can be are left out", () => {
    expect(uniteScopes('a "b" c\\d é f')).toBe("a f");
  });

  test("cover others when none is missing", () => {
    expect(coversScopes("a b", "b")).toBe(true);
    expect(coversScopes("a b", undefined)).toBe(true);
    expect(coversScopes("a", "a b")).toBe(false);
    expect(coversScopes(undefined, "a")).toBe(false);
  });

  test("are of a bounded number, however many a server names", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `s${at}`).join(" ");

    expect(uniteScopes(many)?.split(" ").length).toBeLessThanOrEqual(500);
  });
});

describe("the selection of scopes", () => {
  test("asks for what was asked for before rather than for everything that there is", () => {
    expect(selectScope({ ...NOTHING, requested: "a", supported: ["x", "y"] })).toBe("a");
  });

  test("takes the challenge for the truth, whatever the metadata says", () => {
    expect(selectScope({ ...NOTHING, challenged: "z", supported: ["x"] })).toBe("z");
  });

  test("adds offline access only where tokens are refreshed", () => {
    expect(selectScope({ ...NOTHING, offered: ["offline_access"], refreshes: false })).toBeUndefined();
    expect(selectScope({ ...NOTHING, offered: ["offline_access"] })).toBe("offline_access");
  });

  test("leaves what the program itself wants", () => {
    expect(selectScope({ ...NOTHING, wanted: "offline_access", offered: ["x"] })).toBe("offline_access");
  });
});
