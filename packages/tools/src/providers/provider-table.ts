/** What is known of a provider before anything of it is loaded. */
export interface ProviderRow {
  readonly id: string;
  /** Its name for people. */
  readonly label: string;
  /** The variable with its key; `undefined` for one that needs none. */
  readonly keyVariable: string | undefined;
  /** The variable that names the model for text; `undefined` where it only makes images. */
  readonly modelVariable: string | undefined;
  /** The model without that variable; `undefined` where it has to be named, which then is part of being configured. */
  readonly model: string | undefined;
  readonly baseUrlVariable: string;
  /** Where it is called without that variable. */
  readonly baseUrl: string;
  /** The variable that names the model for images, and the model without it; `undefined` where it makes none. */
  readonly image: { readonly variable: string; readonly model: string } | undefined;
}

/** Every provider. The first one that is configured and answers text is the default. */
export const PROVIDERS: readonly ProviderRow[] = [
  row("openai", "OpenAI", {
    model: "gpt-5.5",
    baseUrl: "https://api.openai.com/v1",
    imageModel: "gpt-image-2",
  }),
  row("anthropic", "Anthropic", { model: "claude-sonnet-5", baseUrl: "https://api.anthropic.com/v1" }),
  row("gemini", "Gemini", {
    model: "gemini-flash-latest",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
  }),
  row("mistral", "Mistral", { model: "mistral-large-latest", baseUrl: "https://api.mistral.ai/v1" }),
  row("cohere", "Cohere", { model: "command-a-03-2025", baseUrl: "https://api.cohere.com/v2" }),
  row("nvidia", "NVIDIA", {
    model: "meta/llama-3.3-70b-instruct",
    baseUrl: "https://integrate.api.nvidia.com/v1",
  }),
  row("openrouter", "OpenRouter", { model: "openai/gpt-5.5", baseUrl: "https://openrouter.ai/api/v1" }),
  row("deepseek", "DeepSeek", { model: "deepseek-chat", baseUrl: "https://api.deepseek.com" }),
  row("groq", "Groq", { baseUrl: "https://api.groq.com/openai/v1" }),
  row("xai", "xAI", { baseUrl: "https://api.x.ai/v1", imageModel: "grok-imagine-image" }),
  row("together", "Together", {
    baseUrl: "https://api.together.xyz/v1",
    imageModel: "black-forest-labs/FLUX.1-schnell",
  }),
  { ...row("ollama", "Ollama", { baseUrl: "http://127.0.0.1:11434/v1" }), keyVariable: undefined },
  {
    ...row("stability", "Stability", { baseUrl: "https://api.stability.ai", imageModel: "core" }),
    modelVariable: undefined,
  },
];

interface RowParts {
  readonly model?: string;
  readonly baseUrl: string;
  readonly imageModel?: string;
}

/** A row with the names that variables usually have. */
function row(id: string, label: string, { model, baseUrl, imageModel }: RowParts): ProviderRow {
  const prefix = id.toUpperCase();
  return {
    id,
    label,
    keyVariable: `${prefix}_API_KEY`,
    modelVariable: `${prefix}_MODEL`,
    model,
    baseUrlVariable: `${prefix}_BASE_URL`,
    baseUrl,
    image: imageModel === undefined ? undefined : { variable: `${prefix}_IMAGE_MODEL`, model: imageModel },
  };
}
