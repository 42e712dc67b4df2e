import { describe, expect, test } from "vitest";
import { parseChallenges, readBearerChallenge } from "../../src/oauth/challenge.js";

/** Challenges as plain objects. */
function parse(header: string | undefined): unknown[] {
  return parseChallenges(header).map(({ scheme, params, token68 }) => ({
    scheme,
    ...(params.size > 0 && { params: Object.fromEntries(params) }),
    ...(token68 !== undefined && { token68 }),
  }));
}

describe("parsing challenges", () => {
  test.each([
    ["nothing", undefined, []],
    ["an empty header", "", []],
    ["a scheme alone", "Bearer", [{ scheme: "Bearer" }]],
    ["a parameter", 'Bearer realm="x"', [{ scheme: "Bearer", params: { realm: "x" } }]],
    ["names in capitals", 'bEARER ReALM="x"', [{ scheme: "bEARER", params: { realm: "x" } }]],
    ["blanks around the equals sign", 'Bearer realm = "x"', [{ scheme: "Bearer", params: { realm: "x" } }]],
    [
      "a comma in a quoted value",
      'Bearer realm="a, b", scope="c"',
      [{ scheme: "Bearer", params: { realm: "a, b", scope: "c" } }],
    ],
    ["an escaped quote", 'Bearer realm="a\\"b\\\\c"', [{ scheme: "Bearer", params: { realm: 'a"b\\c' } }]],
    [
      "a challenge inside a quoted value",
      'Bearer realm="Basic x=\\"y\\""',
      [{ scheme: "Bearer", params: { realm: 'Basic x="y"' } }],
    ],
    ["an empty value", 'Bearer scope=""', [{ scheme: "Bearer", params: { scope: "" } }]],
    ["token68", "Negotiate YWJj==", [{ scheme: "Negotiate", token68: "YWJj==" }]],
    [
      "token68 followed by another challenge",
      'Negotiate abc=, Bearer scope="x"',
      [
        { scheme: "Negotiate", token68: "abc=" },
        { scheme: "Bearer", params: { scope: "x" } },
      ],
    ],
    [
      "several challenges",
      'Basic realm="a", Bearer realm="b", scope="c d", DPoP algs="ES256"',
      [
        { scheme: "Basic", params: { realm: "a" } },
        { scheme: "Bearer", params: { realm: "b", scope: "c d" } },
        { scheme: "DPoP", params: { algs: "ES256" } },
      ],
    ],
    [
      "schemes without parameters",
      "Basic, Bearer, DPoP",
      [{ scheme: "Basic" }, { scheme: "Bearer" }, { scheme: "DPoP" }],
    ],
    ["the first of two values", 'Bearer scope="a", scope="b"', [{ scheme: "Bearer", params: { scope: "a" } }]],
    [
      "an address without quotes",
      "Bearer resource_metadata=https://a.test/b?c=d, scope=x",
      [{ scheme: "Bearer", params: { resource_metadata: "https://a.test/b?c=d", scope: "x" } }],
    ],
    [
      "parameters without commas",
      'Bearer realm="a" scope="b"',
      [{ scheme: "Bearer", params: { realm: "a", scope: "b" } }],
    ],
    ["commas with nothing between", ',, Bearer ,, realm="a",,', [{ scheme: "Bearer", params: { realm: "a" } }]],
    ["a quote that never ends", 'Bearer realm="a, b', [{ scheme: "Bearer", params: { realm: "a, b" } }]],
    [
      "names of built-in members",
      'Bearer __proto__="a", constructor="b"',
      [
        {
          scheme: "Bearer",
          params: Object.fromEntries([
            ["__proto__", "a"],
            ["constructor", "b"],
          ]),
        },
      ],
    ],
    ["parameters of no scheme", 'a="b", Bearer scope="c"', [{ scheme: "Bearer", params: { scope: "c" } }]],
    [
      "junk between challenges",
      'Basic, @@@ "x, y", Bearer scope="c"',
      [{ scheme: "Basic" }, { scheme: "Bearer", params: { scope: "c" } }],
    ],
  ])("reads %s", (_, header, expected) => {
    expect(parse(header)).toEqual(expected);
  });

  test("never throws and ends, whatever comes", () => {
    const random = createRandom(1);
    const pieces = [
      "Bearer",
      "DPoP",
      " ",
      ",",
      "=",
      '"',
      "\\",
      "a",
      "error",
      "é",
      "\u0000",
      "\n",
      "\t",
      "==",
      ":",
      "/",
      "😀",
    ];

    for (let round = 0; round < 20_000; round += 1) {
      const header = Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
      for (const { scheme, params } of parseChallenges(header)) {
        expect(header).toContain(scheme);
        expect(params).toBeInstanceOf(Map);
      }
    }
  });

  test("finds a challenge behind any other", () => {
    const others = ["Basic", 'Basic realm="a"', "Negotiate abc==", 'Digest a="b, c", d=e', "Basic realm=", ","];

    for (const other of others)
      expect(readBearerChallenge(`${other}, Bearer scope="x"`)).toMatchObject({ scheme: "Bearer", scope: "x" });
  });

  test.each(["a ", 'a="', "a,", '"\\', "a=b ", '"a" ', "@"])(
    "takes time in proportion to the header, full of %j",
    (piece) => {
      const started = performance.now();

      parseChallenges(piece.repeat(200_000));

      expect(performance.now() - started).toBeLessThan(2_000);
    },
  );
});

describe("the challenge for a token", () => {
  test("gives everything that it says", () => {
    const header =
      'Bearer error="insufficient_scope", scope="a b", resource_metadata="https://a.test/m", error_description="more, please"';

    expect(readBearerChallenge(header)).toEqual({
      scheme: "Bearer",
      resourceMetadata: "https://a.test/m",
      scope: "a b",
      error: "insufficient_scope",
      errorDescription: "more, please",
    });
  });

  test("is none where other schemes are asked for", () => {
    expect(readBearerChallenge('Basic realm="Bearer"')).toBeUndefined();
  });

  test("is the one with an error or metadata among several", () => {
    const header = 'Bearer realm="x", Bearer error="invalid_token"';

    expect(readBearerChallenge(header)).toMatchObject({ error: "invalid_token" });
  });

  test("is that of the preferred scheme when both are there", () => {
    const header = 'Bearer scope="a", DPoP scope="b", algs="ES256"';

    expect(readBearerChallenge(header)).toMatchObject({ scheme: "Bearer", scope: "a" });
    expect(readBearerChallenge(header, "DPoP")).toMatchObject({ scheme: "DPoP", scope: "b" });
  });

  test("is that of the other scheme when only that is there", () => {
    expect(readBearerChallenge('dpop error="use_dpop_nonce"')).toMatchObject({
      scheme: "DPoP",
      error: "use_dpop_nonce",
    });
  });

  test("knows the metadata that another challenge names", () => {
    const header = 'DPoP algs="ES256", Bearer resource_metadata="https://a.test/m"';

    expect(readBearerChallenge(header, "DPoP")).toMatchObject({ scheme: "DPoP", resourceMetadata: "https://a.test/m" });
  });
});

/** Numbers that are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
