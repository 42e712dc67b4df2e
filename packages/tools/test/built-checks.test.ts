import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeProvider, startFakeProvider } from "./fake-provider/index.js";
import { DOCUMENT } from "./openapi/example-document.js";

const PROGRAM = fileURLToPath(new URL("programs/make-regex-and-spec.mjs", import.meta.url));

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

test("the built package runs expressions in a thread and validates documents, ends by itself, and leaves stdout alone", async () => {
  const regex = {
    pattern: "^(a+)+$",
    flags: "",
    explanation: "Letters a.",
    matches: ["a"],
    nonMatches: [`${"a".repeat(40)}b`],
  };
  const good = { text: JSON.stringify({ ...regex, pattern: "^a+$" }) };
  // A document with a format that the validator does not know, which it would warn of.
  const schemas = { Pet: { type: "string", format: "a-format-of-our-own" } };
  const document = { ...DOCUMENT, components: { ...(DOCUMENT.components as object), schemas } };
  fake.script({ text: JSON.stringify(regex) }, good, { text: JSON.stringify(document) });

  const child = spawn(process.execPath, [PROGRAM], { env: fake.env("groq"), stdio: ["ignore", "pipe", "pipe"] });
  const [[code], out, err] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);

  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toMatch(/^generate_regex: .*"verified":true/m);
  expect(err).toMatch(/^generate_openapi_spec: .*"openapi":"3\.1\.0"/m);
});
