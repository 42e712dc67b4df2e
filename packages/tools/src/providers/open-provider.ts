import { ToolFailure } from "../tool-failure.js";
import type { ProviderAccess } from "./access.js";
import { readVariable } from "./environment.js";
import { createGuardedFetch } from "./guarded-fetch.js";
import { fromSdkImages, type LanguageModel, type OpenProvider, type PictureModel } from "./models.js";

/** What a library of a provider gets. */
interface Settings {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
}

/** Which forms of answers are asked for besides in words. */
export interface AnswerForms {
  /** Takes a JSON Schema along. */
  readonly schema: boolean;
  /** Can be asked for JSON without a schema. */
  readonly json: boolean;
}

interface Adapter extends AnswerForms {
  open(settings: Settings, access: ProviderAccess): Promise<Partial<OpenProvider>>;
}

const SCHEMA_OR_JSON: AnswerForms = { schema: true, json: true };
/** Where a schema would be left out, or repeated in words beside ours. */
const JSON_ALONE: AnswerForms = { schema: false, json: true };

/** How each provider is opened. Its library is loaded then, and no earlier. */
const ADAPTERS: Readonly<Record<string, Adapter>> = {
  openai: {
    ...SCHEMA_OR_JSON,
    async open(settings, access) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI(settings);
      return {
        text: (model) => (speaksResponses(access) ? openai.responses(model) : openai.chat(model)),
        picture: (model) => fromSdkImages(openai.image(model)),
      };
    },
  },
  anthropic: {
    schema: true,
    json: false,
    async open(settings) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return { text: createAnthropic(settings) };
    },
  },
  gemini: {
    ...SCHEMA_OR_JSON,
    async open(settings) {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return { text: createGoogleGenerativeAI(settings) };
    },
  },
  mistral: {
    ...SCHEMA_OR_JSON,
    async open(settings) {
      const { createMistral } = await import("@ai-sdk/mistral");
      return { text: createMistral(settings) };
    },
  },
  cohere: {
    ...SCHEMA_OR_JSON,
    async open(settings) {
      const { createCohere } = await import("@ai-sdk/cohere");
      return { text: createCohere(settings) };
    },
  },
  nvidia: { ...SCHEMA_OR_JSON, open: (settings) => openCompatible("nvidia", settings) },
  openrouter: { ...SCHEMA_OR_JSON, open: (settings) => openCompatible("openrouter", settings) },
  deepseek: {
    ...JSON_ALONE,
    async open(settings) {
      const { createDeepSeek } = await import("@ai-sdk/deepseek");
      return { text: createDeepSeek(settings) };
    },
  },
  groq: {
    ...SCHEMA_OR_JSON,
    async open(settings) {
      const { createGroq } = await import("@ai-sdk/groq");
      return { text: createGroq(settings) };
    },
  },
  xai: {
    ...SCHEMA_OR_JSON,
    async open(settings) {
      const { createXai } = await import("@ai-sdk/xai");
      const xai = createXai(settings);
      return { text: (model) => xai.chat(model), picture: (model) => fromSdkImages(xai.image(model)) };
    },
  },
  together: {
    ...JSON_ALONE,
    async open(settings) {
      const { createTogetherAI } = await import("@ai-sdk/togetherai");
      const together = createTogetherAI(settings);
      return { text: (model) => together(model), picture: (model) => fromSdkImages(together.image(model)) };
    },
  },
  ollama: { ...SCHEMA_OR_JSON, open: (settings) => openCompatible("ollama", settings) },
  stability: {
    schema: false,
    json: false,
    async open(settings) {
      const { createStability } = await import("./stability.js");
      return { picture: createStability(settings) };
    },
  },
};

/** Which forms of answers a provider can be asked for. */
export function answerForms(id: string): AnswerForms {
  return findAdapter(id);
}

/** Loads the library of a provider. Asking it for what the provider does not do throws `ToolFailure`. */
export async function openProvider(access: ProviderAccess): Promise<OpenProvider> {
  const { row, apiKey, baseUrl } = access;
  const settings = { apiKey, baseURL: baseUrl, fetch: createGuardedFetch() };
  const { text, picture } = await findAdapter(row.id).open(settings, access);
  const refuse = (what: string) => (): never => {
    throw new ToolFailure(`${row.label} ${what}`);
  };
  return { text: text ?? refuse("only makes images"), picture: picture ?? refuse("makes no images") };
}

function findAdapter(id: string): Adapter {
  const adapter = ADAPTERS[id];
  if (adapter === undefined) throw new RangeError(`Expected an adapter for every provider, found none for "${id}"`);
  return adapter;
}

async function openCompatible(
  name: string,
  { apiKey, ...settings }: Settings,
): Promise<{ text(model: string): LanguageModel; picture?: (model: string) => PictureModel }> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const key = apiKey === "" ? {} : { apiKey };
  return { text: createOpenAICompatible({ name, ...settings, ...key, supportsStructuredOutputs: true }) };
}

/** Most servers that take the place of OpenAI's speak its older API alone. */
function speaksResponses({ env, ownBaseUrl }: ProviderAccess): boolean {
  const api = readVariable(env, "OPENAI_API");
  if (api !== undefined && api !== "responses" && api !== "chat")
    throw new ToolFailure(`Expected "OPENAI_API" to be "responses" or "chat"`);
  return api === undefined ? !ownBaseUrl : api === "responses";
}
