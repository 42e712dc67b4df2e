import { describe, expect, test } from "vitest";
import { createChallenge, createRandomText } from "../../src/oauth/random-text.js";

describe("a text that nobody can guess", () => {
  test("has 256 bits, as addresses can hold them", () => {
    for (let count = 0; count < 50; count += 1) expect(createRandomText()).toMatch(/^[\w-]{43}$/);
  });

  test("is another one each time", () => {
    const texts = Array.from({ length: 100 }, () => createRandomText());

    expect(new Set(texts).size).toBe(100);
  });

  test("has the challenge that RFC 7636 gives for its own", async () => {
    expect(await createChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    );
  });
});
