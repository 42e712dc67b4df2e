import { expect, test } from "vitest";
import { PROVIDER_IDS } from "../../src/index.js";
import { readProviders } from "../../src/providers/configured.js";
import { PROVIDERS } from "../../src/providers/provider-table.js";

test("the providers stand in the order in which the first configured one becomes the default", () => {
  expect(PROVIDER_IDS).toEqual([
    "openai",
    "anthropic",
    "gemini",
    "mistral",
    "cohere",
    "nvidia",
    "openrouter",
    "deepseek",
    "groq",
    "xai",
    "together",
    "ollama",
    "stability",
  ]);
});

test("each has the variables that its users expect", () => {
  const variables = PROVIDERS.map(({ keyVariable, modelVariable, baseUrlVariable, image }) => [
    keyVariable,
    modelVariable,
    baseUrlVariable,
    image?.variable,
  ]);

  expect(variables).toEqual([
    ["OPENAI_API_KEY", "OPENAI_MODEL", "OPENAI_BASE_URL", "OPENAI_IMAGE_MODEL"],
    ["ANTHROPIC_API_KEY", "ANTHROPIC_MODEL", "ANTHROPIC_BASE_URL", undefined],
    ["GEMINI_API_KEY", "GEMINI_MODEL", "GEMINI_BASE_URL", undefined],
    ["MISTRAL_API_KEY", "MISTRAL_MODEL", "MISTRAL_BASE_URL", undefined],
    ["COHERE_API_KEY", "COHERE_MODEL", "COHERE_BASE_URL", undefined],
    ["NVIDIA_API_KEY", "NVIDIA_MODEL", "NVIDIA_BASE_URL", undefined],
    ["OPENROUTER_API_KEY", "OPENROUTER_MODEL", "OPENROUTER_BASE_URL", undefined],
    ["DEEPSEEK_API_KEY", "DEEPSEEK_MODEL", "DEEPSEEK_BASE_URL", undefined],
    ["GROQ_API_KEY", "GROQ_MODEL", "GROQ_BASE_URL", undefined],
    ["XAI_API_KEY", "XAI_MODEL", "XAI_BASE_URL", "XAI_IMAGE_MODEL"],
    ["TOGETHER_API_KEY", "TOGETHER_MODEL", "TOGETHER_BASE_URL", "TOGETHER_IMAGE_MODEL"],
    [undefined, "OLLAMA_MODEL", "OLLAMA_BASE_URL", undefined],
    ["STABILITY_API_KEY", undefined, "STABILITY_BASE_URL", "STABILITY_IMAGE_MODEL"],
  ]);
});

test("the default is the first one that is configured, in the order of the list", () => {
  const { default: chosen, configured } = readProviders({ GEMINI_API_KEY: "g", ANTHROPIC_API_KEY: "a" });

  expect(chosen?.id).toBe("anthropic");
  expect(configured.map(({ id }) => id)).toEqual(["anthropic", "gemini"]);
});

test("one that makes images alone is never the default", () => {
  const { default: chosen, configured } = readProviders({ STABILITY_API_KEY: "s" });

  expect(chosen).toBeUndefined();
  expect(configured).toMatchObject([{ id: "stability", text: false, imageModel: "core" }]);
});

test.each(["", "  ", undefined])("a variable that is %j counts as unset", (value) => {
  expect(readProviders({ OPENAI_API_KEY: value }).configured).toEqual([]);
});

test.each(["GROQ", "XAI", "TOGETHER"])("%s needs its model beside its key", (prefix) => {
  const set = readProviders({ [`${prefix}_API_KEY`]: "k" });

  expect(set.configured).toEqual([]);
  expect(set.all.find(({ id }) => id === prefix.toLowerCase())?.missing).toEqual([`${prefix}_MODEL`]);
  expect(() => set.find(prefix.toLowerCase())).toThrow(`${prefix}_MODEL`);
});

test("the name of a model alone makes Ollama a provider", () => {
  expect(readProviders({ OLLAMA_MODEL: "qwen3" }).default).toMatchObject({ id: "ollama", model: "qwen3" });
});

test.each([
  ["openrouter", "openai/gpt-5.5"],
  ["deepseek", "deepseek-chat"],
])("%s has a model of its own unless another is named", (id, model) => {
  const key = { [`${id.toUpperCase()}_API_KEY`]: "k" };
  const named = { ...key, [`${id.toUpperCase()}_MODEL`]: "other" };

  expect(readProviders(key).find(id).model).toBe(model);
  expect(readProviders(named).find(id).model).toBe("other");
});

test("asking for one that is not configured names what to set", () => {
  expect(() => readProviders({}).find("mistral")).toThrow("MISTRAL_API_KEY");
  expect(() => readProviders({}).find("xai")).toThrow("XAI_API_KEY and XAI_MODEL");
});

test("asking for one that does not exist names those that do", () => {
  expect(() => readProviders({}).find("hal")).toThrow("ollama");
});

test("what is known of providers holds no keys", () => {
  const set = readProviders({ OPENAI_API_KEY: "very-secret", STABILITY_API_KEY: "very-secret" });

  expect(JSON.stringify(set)).not.toContain("very-secret");
});
