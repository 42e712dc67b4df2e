import { expect, test } from "vitest";
import { PROVIDERS } from "../../src/providers/provider-table.js";
import { callTool } from "../fake-provider/call-tool.js";

/** Finds what is told of one provider. */
function findTold(structured: unknown, id: string): unknown {
  // What the schema of the tool's output says.
  return (structured as { providers: readonly { id: string }[] }).providers.find((each) => each.id === id);
}

test("tells which providers are configured, which one answers by default, and their models", async () => {
  const env = { MISTRAL_API_KEY: "key-1", OPENAI_API_KEY: "key-2", OPENAI_MODEL: "gpt-x", STABILITY_API_KEY: "key-3" };

  const { structured, isError } = await callTool("list_providers", {}, { env });

  expect(isError).toBe(false);
  expect(structured).toMatchObject({ default: "openai", configured: ["openai", "mistral", "stability"] });
  expect(findTold(structured, "openai")).toMatchObject({ configured: true, model: "gpt-x", unset: [] });
  expect(findTold(structured, "mistral")).toMatchObject({ configured: true, unset: [] });
  expect(findTold(structured, "stability")).not.toHaveProperty("model");
});

test("names the variables that each of the others needs", async () => {
  const { structured } = await callTool("list_providers", {}, { env: { GROQ_API_KEY: "key-1", XAI_MODEL: "grok" } });

  expect(structured).not.toHaveProperty("default");
  expect(findTold(structured, "anthropic")).toMatchObject({ configured: false, unset: ["ANTHROPIC_API_KEY"] });
  expect(findTold(structured, "groq")).toMatchObject({ configured: false, unset: ["GROQ_MODEL"] });
  expect(findTold(structured, "xai")).toMatchObject({ configured: false, model: "grok", unset: ["XAI_API_KEY"] });
  expect(findTold(structured, "together")).toMatchObject({ unset: ["TOGETHER_API_KEY", "TOGETHER_MODEL"] });
  expect(findTold(structured, "ollama")).toMatchObject({ unset: ["OLLAMA_MODEL"] });
});

test("tells of every provider in the order of the table, and repeats it as JSON text", async () => {
  const { structured, text } = await callTool("list_providers", {}, { env: {} });

  expect(structured).toMatchObject({
    configured: [],
    providers: PROVIDERS.map(({ id }) => ({ id, configured: false })),
  });
  expect(JSON.parse(text)).toEqual(structured);
});

test("never shows a key, not even where one stands in a base URL", async () => {
  const env = Object.fromEntries(
    PROVIDERS.flatMap(({ id, keyVariable, baseUrlVariable }) => [
      [keyVariable ?? "OTHER", `secret-${id}`],
      [baseUrlVariable, `https://user:secret-${id}@example.com/v1`],
    ]),
  );

  const called = await callTool("list_providers", {}, { env });

  expect(JSON.stringify(called)).not.toContain("secret-");
});

test("tells of one provider alone", async () => {
  const { structured, isError } = await callTool(
    "list_providers",
    { provider: "groq" },
    { env: { OPENAI_API_KEY: "k" } },
  );

  expect(isError).toBe(false);
  expect(structured).toEqual({
    default: "openai",
    configured: [],
    providers: [{ id: "groq", name: "Groq", configured: false, unset: ["GROQ_API_KEY", "GROQ_MODEL"] }],
  });
});

test("names the provider that the server was told to use", async () => {
  const env = { OPENAI_API_KEY: "k", MISTRAL_API_KEY: "k" };

  const { structured } = await callTool("list_providers", {}, { env, provider: "mistral" });

  expect(structured).toMatchObject({ default: "mistral" });
});
