import { cpuUsage } from "node:process";
import { describe, expect, test } from "vitest";
import { createPatternChecker } from "../src/pattern-safety.js";

function isSafePattern(source: string): boolean {
  return createPatternChecker()(source);
}

const SAFE: readonly string[] = [
  "",
  "abc",
  "^[a-z0-9-]+$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
  "^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$",
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  "^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
  "(foo|bar)+",
  "^([a-z]+\\.)+[a-z]+$",
  "^(?:[a-z]+(?:-[a-z]+)*)$",
  "^(a|b)*$",
  "^(a|bc|bd)*$",
  "^(?:ab?c)*$",
  "^([0-9a-f]{2}:){5}[0-9a-f]{2}$",
  "^(?:[0-9a-zA-Z+/]{4})*(?:[0-9a-zA-Z+/]{2}==|[0-9a-zA-Z+/]{3}=)?$",
  "^(?:[0-9a-f]{32})+$",
  "^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)$",
  "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$",
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
  "^https?://[^\\s/$.?#].[^\\s]*$",
  "^/(?:[^/]+/)*[^/]*$",
  '^"(?:[^"\\\\]|\\\\.)*"$',
  "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).{8,}$",
  "^.*foo.*bar.*$",
  "^\\s*\\w+\\s*=\\s*\\w+\\s*$",
  "^(['\"]).*\\1$",
  "^(?<year>\\d+)-\\k<year>$",
  "^\\p{Lu}[\\p{L}\\p{M}]*(?: \\p{L}+)*$",
  "^(?:\\p{L}+\\p{N})+$",
  "^(?:\\u{1F600}|\\u0041|\\x42)+$",
  "^[\\]\\-a]+$",
  "^[^]]*$",
  "^(?:a+)?(?:b+)?$",
  "^(?:a{1,2}){1,2}$",
  "^[\\w-]+(,[\\w-]+)*$",
  "^(?:x{1,1000}y)*$",
  "^(?:\\d+,){9}\\d+$",
  "^(?:[A-Za-z]+ ?){1,3}$",
  "^(?:[a-z]+ ){1,50}[a-z]+$",
  "^P(?:(\\d+W)|(?!.*W)(?=\\d|T\\d)(\\d+Y)?(\\d+M)?(\\d+D)?(T(?=\\d)(\\d+H)?(\\d+M)?(\\d+([.,]\\d+)?S)?)?)$",
  "^\\d(?:[ -]?\\d){11,18}$",
  "a{,5}b{x}",
  "^(?:)*(?:^|$)*\\b+$",
  "^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$",
];

const UNSAFE: readonly string[] = [
  "^(a+)+$",
  "^(a*)*$",
  "(a+)+b",
  "(?:a+)*b",
  "((a+)){2,}b",
  "^(\\w+\\s?)*$",
  "^([a-zA-Z0-9]+)*@",
  "(a|a)*b",
  "(a|ab|b)*c",
  "(a|aa)+$",
  "(\\d|[0-5])+x",
  "(.|\\n|a)*x",
  "(\\w|\\p{L})+$",
  "([^,]|\\p{Nd})*$",
  "(a?b?)*c",
  "(x(a?|b?)y)*z",
  "(a*b?a*)*c",
  "([a-z]{2,3})+$",
  "(a{1,5}){2,}$",
  "([\\/\\w .-]*)*\\/?$",
  "(?=(a+)+b)a",
  "^(?!(x+x+)+y)",
  "(?<=(a|a)*)b",
  "(a|a){30}$",
  "((a|a){9}){9}$",
  "(a?){40}a{40}",
  "(\\s*|\\s*){20}x",
  "a*a*a*a*a*a*b",
  ".*.*.*.*.*.*x",
  "a?".repeat(30) + "a".repeat(30),
  "(?:a*)(?:a*)(?:a*)(?:a*)(?:a*)(?:a*)b",
  "[a-z]*[0-9]*[a-z]*[0-9]*[a-z]*[0-9]*[a-z]*[0-9]*[a-z]*[0-9]*[a-z]*!",
  "(?:(?:.+){1,3}){2}!",
  "(?:a|(?:a{2,}){1,3}){2}b!",
  "(?:aa+)?(?:aa+)?(?:aa+)?(?:aa+)?(?:aa+)?(?:aa+)?b",
  "(?:b|(?:(?:(?:a?)+){2}){2}){2}!",
  "(?:(?:b{0,12}|.b){1,3}){2}!",
  "(\\x61|a)*b",
  "(\\u0061|a)*b",
  "((.*)\\2)*x",
  ")(a+)+",
];

describe("a pattern checker", () => {
  for (const pattern of SAFE) {
    test(`accepts ${pattern}`, () => {
      expect(isSafePattern(pattern)).toBe(true);
    });
  }

  for (const pattern of UNSAFE) {
    test(`refuses ${pattern}`, () => {
      expect(isSafePattern(pattern)).toBe(false);
    });
  }

  test("refuses what it is too large to decide about", () => {
    expect(isSafePattern(`${"a".repeat(5_000)}+`)).toBe(false);
    expect(isSafePattern(`${"(".repeat(1_000)}a${")".repeat(1_000)}+`)).toBe(false);
  });

  for (const [name, pattern] of [
    ["many alternatives", `(${Array.from({ length: 1_000 }, (_, index) => index.toString(36)).join("|")})+$`],
    ["many optional parts", `(${"a?b?".repeat(450)})+$`],
    ["nested counts", "((((a{1,9}){1,9}){1,9}){1,9}){1,9}$"],
    ["huge counts", "(?:(?:ab?){1000}c){1000}$"],
    ["counts within loops within counts", [..."bcdefghi"].reduce((inner, end) => `(?:(?:${inner}){20}${end})*`, "a")],
    ["long rows within one another", "(?:x{9}a?".repeat(39) + "(?:ab?){99}){99}".repeat(39)],
    ["brackets that are never closed", `${"[".repeat(3_000)}+`],
    ["only closing brackets", ")".repeat(3_000)],
    ["many properties", "\\p{L}\\p{Script=Greek}\\p{N}+".repeat(100)],
  ] as const) {
    test(`decides about ${name} quickly`, () => {
      const started = cpuUsage();

      isSafePattern(pattern);

      expect(cpuUsage(started).user / 1_000).toBeLessThan(2_000);
    });
  }

  for (const pattern of [
    "(",
    "[",
    "\\",
    "(?",
    "a{",
    "a{1",
    "(?<",
    "\\p{",
    "\\u{",
    "*",
    "+a",
    "[b-a]+",
    "[\\",
    "(?:",
    "\\k<",
  ]) {
    test(`survives the malformed pattern ${pattern}`, () => {
      expect(isSafePattern(pattern)).toBeTypeOf("boolean");
    });
  }
});

describe("one checker for many patterns", () => {
  test("limits the work for all patterns together", () => {
    const isSafe = createPatternChecker();
    const started = cpuUsage();

    const verdicts = Array.from({ length: 5_000 }, (_, index) =>
      isSafe(`^(?:[a-z]{3}[0-9]{${(index % 40) + 1}}){40}$|${index}`),
    );

    expect(cpuUsage(started).user / 1_000).toBeLessThan(2_000);
    expect(verdicts[0]).toBe(true);
  });

  test("accepts thousands of ordinary patterns", () => {
    const isSafe = createPatternChecker();

    const verdicts = Array.from({ length: 5_000 }, (_, index) => isSafe(`^[a-z0-9-]+\\.${index}$`));

    expect(verdicts).not.toContain(false);
  });
});
