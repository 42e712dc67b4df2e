import { describe, expect, test } from "vitest";
import { CommandFailure } from "../../src/command-failure.js";
import { readTarget, type Target } from "../../src/doctor/target.js";

interface Asked {
  readonly header?: readonly string[];
  readonly env?: readonly string[];
}

function read(words: readonly string[], { header = [], env = [] }: Asked = {}): Target | undefined {
  return readTarget({ words, header, env }, { TOKEN: "secret-value", EMPTY: "", NESTED: `\${TOKEN}` });
}

describe("a server to check", () => {
  test("is a command with its arguments, which are passed on as they are", () => {
    expect(read(["npx", "-y", "thing", `\${TOKEN}`], { env: ["TOKEN", "A=b=c"] })).toEqual({
      kind: "process",
      command: { command: "npx", args: ["-y", "thing", `\${TOKEN}`], env: { TOKEN: "secret-value", A: "b=c" } },
    });
  });

  test("is an address with headers, filled in once", () => {
    const header = [
      `Authorization: Bearer \${TOKEN}`,
      `X-Nested: \${NESTED}`,
      `X-Default: \${NONE:-x:y}`,
      "X-Plain: $TOKEN",
    ];

    expect(read(["https://example.com/mcp"], { header })).toMatchObject({
      kind: "http",
      headers: {
        Authorization: "Bearer secret-value",
        "X-Nested": `\${TOKEN}`,
        "X-Default": "x:y",
        "X-Plain": "$TOKEN",
      },
    });
  });

  test("need not be there", () => {
    expect(read([])).toBeUndefined();
  });
});

describe("a server that cannot be meant", () => {
  test.each([
    [["localhost:3210/mcp"], {}],
    [["http://"], {}],
    [["https://example.com", "more"], {}],
    [["https://example.com"], { env: ["TOKEN"] }],
    [["node"], { header: ["A: b"] }],
    [["node"], { env: ["NONE"] }],
    [["node"], { env: ["a key"] }],
    [[""], {}],
    [[], { header: ["A: b"] }],
    [["https://example.com"], { header: ["secret-value"] }],
    [["https://example.com"], { header: [`A: \${NONE}`] }],
    [["https://example.com"], { header: [`A: \${TOKEN`] }],
    [["https://example.com"], { header: ["A: b\nC: d"] }],
  ])("is refused before anything is sent: %j %j", (words, asked) => {
    expect(() => read(words, asked)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => read(words, asked)).not.toThrow("secret-value");
  });

  test("is refused with the name of the variable that has no value", () => {
    expect(() => read(["https://example.com"], { header: [`X-Key: \${NONE}`] })).toThrow(CommandFailure);
    expect(() => read(["https://example.com"], { header: [`X-Key: \${NONE}`] })).toThrow("NONE");
  });
});
