import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROVIDER_IDS } from "../src/index.js";
import { type FakeProvider, fakeKey, startFakeProvider } from "./fake-provider/index.js";

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

/** Runs one of the programs beside this file, on the built package, with every module that it loads on stderr. */
async function runProgram(
  name: string,
  env: Record<string, string> = {},
): Promise<{ code: unknown; out: string; err: string }> {
  const [hook = "", program = ""] = ["report-loads.mjs", name].map((file) =>
    fileURLToPath(new URL(`programs/${file}`, import.meta.url)),
  );
  const child = spawn(process.execPath, ["--import", hook, program], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

test("what a server does before its first call loads nothing of a provider or a validator", async () => {
  const { code, err } = await runProgram("list-tools.mjs");

  const loaded = [...err.matchAll(/^loads (.*)$/gm)].map(([, url = ""]) => url);
  expect(code).toBe(0);
  expect(loaded.some((url) => url.includes("/tools/dist/index.js"))).toBe(true);
  expect(loaded.filter((url) => url.includes("/node_modules/"))).toEqual([]);
});

test("a call loads the library of its provider and of no other", async () => {
  const { err } = await runProgram("ask-all.mjs", fake.env("mistral"));

  const loaded = new Set([...err.matchAll(/^loads .*\/node_modules\/@ai-sdk\/([^/]+)\//gm)].map(([, name]) => name));
  expect([...loaded].sort()).toEqual(["mistral", "provider", "provider-utils"]);
});

test("nothing is written to stdout and no key anywhere, whatever providers warn of", async () => {
  const ids = PROVIDER_IDS.filter((id) => id !== "stability");
  // A model that takes fewer tokens than it is asked for: the library warns of it.
  const env = { ...fake.env(...ids), ANTHROPIC_MODEL: "claude-3-haiku-20240307" };

  const { code, out, err } = await runProgram("ask-all.mjs", env);

  expect(code).toBe(0);
  expect(out).toBe("");
  expect(err).toMatch(/^log: Anthropic.*maxOutputTokens/m);
  expect(ids.filter((id) => err.includes(fakeKey(id)))).toEqual([]);
});
