import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkServer } from "../../src/doctor/check-server.js";
import type { ServerCheck } from "../../src/doctor/describe-server.js";
import type { Finding } from "../../src/doctor/finding.js";
import { readTarget } from "../../src/doctor/target.js";

const PROGRAM = fileURLToPath(new URL("programs/scripted-server.mjs", import.meta.url));

interface Asked {
  readonly env?: readonly string[];
  readonly timeoutMs?: number;
}

function check(mode: string, { env = [], timeoutMs = 10_000 }: Asked = {}): Promise<ServerCheck> {
  const target = readTarget({ words: [process.execPath, PROGRAM, mode], header: [], env }, process.env)!;
  return checkServer(target, { timeoutMs, version: "1.0.0" });
}

/** The first thing that failed. */
async function findFailure(mode: string, asked?: Asked): Promise<Finding> {
  const { findings } = await check(mode, asked);
  const failure = findings.find(({ state }) => state === "failed");
  if (failure === undefined) throw new Error("Expected a finding that failed");
  return failure;
}

describe("a server on standard streams that works", () => {
  test("is described", async () => {
    const { findings, report } = await check("plain");

    expect(findings.map(({ state }) => state)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(report).toMatchObject({
      era: "legacy",
      protocolVersion: "2025-11-25",
      supportedVersions: undefined,
      transport: "stdio",
      capabilities: { tools: {} },
      tools: ["echo"],
      timing: { connectMs: expect.any(Number), toolsMs: expect.any(Number) },
    });
  });

  test("may end at a method that it does not know", async () => {
    const { findings, report } = await check("ends at a method it does not know");

    expect(findings.every(({ state }) => state === "ok")).toBe(true);
    expect(report?.tools).toEqual(["echo"]);
  });

  test("gets the variables it needs", async () => {
    const { report } = await check("needs a variable", { env: ["FAKE_API_KEY=secret-value"] });

    expect(report?.era).toBe("legacy");
  });

  test("is looked at when it does not end with its input", async () => {
    const { findings, report } = await check("does not end");

    expect(report).toBeDefined();
    expect(findings.at(-1)).toMatchObject({ state: "warning" });
  });
});

describe("what is wrong with a server on standard streams", () => {
  test("lines that are no messages, quoted, even where it answers", async () => {
    const { findings, report } = await check("noisy");

    expect(report?.tools).toEqual(["echo"]);
    expect(findings[0]).toMatchObject({
      state: "failed",
      details: ["Server started", '{"level":30,"msg":"listening"}'],
    });
  });

  test("lines that are no messages come first where it does not answer", async () => {
    const { details } = await findFailure("noisy and silent", { timeoutMs: 700 });

    expect(details).toEqual(["Server started"]);
  });

  test("a missing variable, named with how to give it", async () => {
    const { text, hint, details } = await findFailure("needs a variable");

    expect(text).toContain("code 1");
    expect(hint).toContain("--env FAKE_API_KEY --env OTHER_TOKEN");
    expect(details).toEqual(["Error: FAKE_API_KEY is not set, and neither is OTHER_TOKEN"]);
  });

  test("what it said, without the values it was given", async () => {
    const failure = await findFailure("tells its variable", { env: ["FAKE_API_KEY=secret-value"] });

    expect(JSON.stringify(failure)).not.toContain("secret-value");
    expect(failure.details).toHaveLength(1);
  });

  test("an end without a word", async () => {
    expect((await findFailure("ends at once")).text).toContain("code 0");
  });

  test("a command that is not there", async () => {
    const target = readTarget({ words: ["no-such-command-here"], header: [], env: [] }, {})!;

    const { findings } = await checkServer(target, { timeoutMs: 1_000, version: "1.0.0" });

    expect(findings).toMatchObject([{ state: "failed", hint: expect.stringContaining("Install") }]);
  });
});

test.each(["prints its variable", "refuses with its variable", "is called like its variable"])(
  "a server that %s does not get it shown",
  async (mode) => {
    const shown = JSON.stringify(await check(mode, { env: ["FAKE_API_KEY=secret-value"] }));

    expect(shown).toContain("[hidden]");
    expect(shown).not.toContain("secret-value");
  },
);
