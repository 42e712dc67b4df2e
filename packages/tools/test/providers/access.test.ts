import { expect, test } from "vitest";
import { readAccess } from "../../src/providers/access.js";
import { PROVIDERS, type ProviderRow } from "../../src/providers/provider-table.js";

function row(id: string): ProviderRow {
  const found = PROVIDERS.find((each) => each.id === id);
  if (found === undefined) throw new Error(`Expected a provider ${id}`);
  return found;
}

test.each<readonly [string, string, string]>([
  ["anthropic", "https://proxy.example", "https://proxy.example/v1"],
  ["anthropic", "https://proxy.example/", "https://proxy.example/v1"],
  ["anthropic", "https://proxy.example/v1/", "https://proxy.example/v1"],
  ["ollama", "http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"],
  ["gemini", "https://proxy.example/gemini", "https://proxy.example/gemini"],
  ["deepseek", "https://proxy.example", "https://proxy.example"],
  ["stability", "https://proxy.example/", "https://proxy.example"],
])("%s at %s is called at %s", (id, given, expected) => {
  const { baseUrlVariable } = row(id);

  expect(readAccess(row(id), { [baseUrlVariable]: given }).baseUrl).toBe(expected);
});

test.each([
  "proxy.example",
  "ftp://proxy.example",
  "https://me:secret@proxy.example",
  "https://proxy.example?key=secret",
])("refuses the address %s without repeating it", (given) => {
  const read = (): unknown => readAccess(row("openai"), { OPENAI_BASE_URL: given });

  expect(read).toThrow("OPENAI_BASE_URL");
  expect(read).not.toThrow("secret");
});

test.each(["sec ret", "secret\nX-Evil: 1", "secret…", "„secret“"])("refuses the key %j without repeating it", (key) => {
  const read = (): unknown => readAccess(row("openai"), { OPENAI_API_KEY: key });

  expect(read).toThrow("OPENAI_API_KEY");
  expect(read).not.toThrow("secret");
});

test("takes no notice of space around a key", () => {
  expect(readAccess(row("openai"), { OPENAI_API_KEY: " k\r\n" }).apiKey).toBe("k");
});
