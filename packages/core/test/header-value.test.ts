import { cpuUsage } from "node:process";
import { describe, expect, test } from "vitest";
import { decodeHeaderValue, encodeHeaderValue } from "../src/header-value.js";

/** Value, and exactly what stands in the header. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["get_weather", "get_weather"],
  ["us-west1", "us-west1"],
  ["", ""],
  ["a", "a"],
  ["two inner  blanks", "two inner  blanks"],
  ["=", "="],
  ["résumé", "=?base64?csOpc3Vtw6k=?="],
  ["docs://größe/ß", "=?base64?ZG9jczovL2dyw7bDn2Uvw58=?="],
  ["🙂", "=?base64?8J+Zgg==?="],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  [" tab\t", "=?base64?IHRhYgk=?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["padded ", "=?base64?cGFkZGVkIA==?="],
  [" ", "=?base64?IA==?="],
  ["a\tb", "=?base64?YQli?="],
  ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["x\r\nX-Admin: 1", "=?base64?eA0KWC1BZG1pbjogMQ==?="],
  ["a\0b", "=?base64?YQBi?="],
  ["\u007f", "=?base64?fw==?="],
  ["\ufeffa", "=?base64?77u/YQ==?="],
  ["=?base64?Zm9v?=", "=?base64?PT9iYXNlNjQ/Wm05dj89?="],
  ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
  ["=?base64??=", "=?base64?PT9iYXNlNjQ/Pz0=?="],
  ["=?BASE64?Zm9v?=", "=?BASE64?Zm9v?="],
  ["=?base64?Zm9v", "=?base64?Zm9v"],
  ["Zm9v?=", "Zm9v?="],
  ["SGVsbG8=", "SGVsbG8="],
];

describe("encodeHeaderValue", () => {
  for (const [value, header] of PAIRS) {
    test(`sends ${JSON.stringify(value)} as ${header}`, () => {
      expect(encodeHeaderValue(value)).toBe(header);
    });
  }

  test("wraps text in which the two markers overlap", () => {
    expect(encodeHeaderValue("=?base64?=")).toBe("=?base64?PT9iYXNlNjQ/PQ==?=");
  });

  for (const [value, header] of [
    [42, "42"],
    [-7, "-7"],
    [0, "0"],
    [-0, "0"],
    [9007199254740991, "9007199254740991"],
    [true, "true"],
    [false, "false"],
  ] as const) {
    test(`sends ${value} (${typeof value}) as ${header}`, () => {
      expect(encodeHeaderValue(value)).toBe(header);
    });
  }

  test("gives plain text of every length up to the limits of a header back, and wraps long text", () => {
    const long = "é".repeat(100_000);

    expect(encodeHeaderValue("a".repeat(100_000))).toBe("a".repeat(100_000));
    expect(decodeHeaderValue(encodeHeaderValue(long))).toBe(long);
  });

  test("never lets any character break the header", () => {
    for (let code = 0; code < 0x250; code += 1) {
      const text = `a${String.fromCharCode(code)}b`;
      const encoded = encodeHeaderValue(text);

      expect(encoded).toMatch(/^[!-~](?:[ -~]*[!-~])?$/);
      expect(decodeHeaderValue(encoded)).toBe(text);
    }
  });
});

describe("decodeHeaderValue", () => {
  for (const [value, header] of PAIRS) {
    test(`reads ${header} as ${JSON.stringify(value)}`, () => {
      expect(decodeHeaderValue(header)).toBe(value);
    });
  }

  test("does not count blanks around the value", () => {
    expect(decodeHeaderValue(" \tget_weather\t ")).toBe("get_weather");
    expect(decodeHeaderValue(" =?base64?8J+Zgg==?= ")).toBe("🙂");
    expect(decodeHeaderValue("a \t b")).toBe("a \t b");
  });

  test("reads an empty wrapper as empty text", () => {
    expect(decodeHeaderValue("=?base64??=")).toBe("");
  });

  test("takes overlapping markers literally", () => {
    expect(decodeHeaderValue("=?base64?=")).toBe("=?base64?=");
  });

  for (const [why, header] of [
    ["bad padding", "=?base64?SGVsbG8?="],
    ["characters outside the alphabet", "=?base64?!!!?="],
    ["the alphabet of addresses", "=?base64?8J-Zgg==?="],
    ["a blank inside", "=?base64?SGVs bG8=?="],
    ["padding in the middle", "=?base64?SGU=bG8=?="],
    ["padding alone", "=?base64?====?="],
    ["three padding characters", "=?base64?S===?="],
    ["bytes that are not UTF-8", "=?base64?/w==?="],
    ["a surrogate written as UTF-8", "=?base64?7aCA?="],
  ] as const) {
    test(`refuses a wrapper with ${why}`, () => {
      expect(decodeHeaderValue(header)).toBeUndefined();
    });
  }

  for (const raw of ["caf\u00e9", "a\u007fb", "a\nb", "a\rb", "a\0b", "東京", " é ", "=?base64?é?="]) {
    test(`refuses the characters of ${JSON.stringify(raw)}`, () => {
      expect(decodeHeaderValue(raw)).toBeUndefined();
    });
  }

  test("decides about long hostile values in linear time", () => {
    const started = cpuUsage();

    expect(decodeHeaderValue(`a${" ".repeat(1_000_000)}\u0001`)).toBeUndefined();
    expect(decodeHeaderValue(`${"\t ".repeat(500_000)}a`)).toBe("a");
    expect(decodeHeaderValue(`a${"\t ".repeat(500_000)}a`)).toHaveLength(1_000_002);
    expect(decodeHeaderValue(`=?base64?${"A".repeat(1_000_001)}?=`)).toBeUndefined();

    expect(cpuUsage(started).user / 1_000).toBeLessThan(1_000);
  });
});
