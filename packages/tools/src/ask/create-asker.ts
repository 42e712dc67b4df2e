import { readAccess } from "../providers/access.js";
import type { Environment } from "../providers/environment.js";
import { describeWarning, type LanguageModel, type OpenProvider } from "../providers/models.js";
import { answerForms, openProvider } from "../providers/open-provider.js";
import type { Provider } from "../providers/provider.js";
import { PROVIDERS } from "../providers/provider-table.js";
import { ToolFailure } from "../tool-failure.js";
import { askJson } from "./ask-json.js";
import type { Asker, ImageAnswer, ImageQuestion } from "./asker.js";
import type { Conversation, Say } from "./conversation.js";
import { describeFiltered, explainFailure, isUnfitRequest } from "./explain-failure.js";
import { toProviderSchema } from "./provider-schema.js";
import { readImage } from "./read-image.js";
import { retry } from "./retry.js";

/** What an asker has to keep to. */
export interface AskerOptions {
  readonly env: Environment;
  /** Aborts when the caller gives up, or the time is over. */
  readonly signal: AbortSignal;
  log(line: string): void;
  onProgress(message: string): void;
  /** When the time is over, by `performance.now()`: no wait goes beyond it. */
  readonly deadline: number;
  /** The most tokens of one answer. @default 16_000 */
  readonly maxOutputTokens?: number | undefined;
  /** The most characters of one answer. @default 1_000_000 */
  readonly maxOutputChars?: number | undefined;
}

type CallOptions = Parameters<LanguageModel["doGenerate"]>[0];
type Answer = Awaited<ReturnType<LanguageModel["doGenerate"]>>;

const DEFAULT_MAX_TOKENS = 16_000;
const DEFAULT_MAX_CHARS = 1_000_000;

/** Makes what asks one provider. Its library is loaded with the first question. */
export function createAsker(provider: Provider, options: AskerOptions): Asker {
  const { onProgress } = options;
  const row = PROVIDERS.find(({ id }) => id === provider.id);
  if (row === undefined) throw new RangeError(`Expected a known provider, received "${provider.id}"`);
  const known = row;
  let opened: Promise<OpenProvider> | undefined;
  /** Calls with patience, and explains what went wrong in the end. */
  async function attempt<T>(model: string, call: (opened: OpenProvider) => Promise<T>): Promise<T> {
    options.signal.throwIfAborted();
    const access = readAccess(known, options.env);
    try {
      opened ??= openProvider(access);
      const each = await opened;
      return await retry(() => call(each), { ...options, onWait: (wait) => tellWait(wait, provider.label, options) });
    } catch (error) {
      options.signal.throwIfAborted();
      throw explainFailure(error, access, model);
    }
  }

  const say: Say = async (conversation) => {
    const { model = provider.model } = conversation;
    if (!provider.text) throw new ToolFailure(`${provider.label} only makes images`);
    onProgress(`Asking ${provider.label} (${model})`);
    const answer = await attempt(model, (each) => generate(each.text(model), conversation, { ...options, provider }));
    for (const warning of answer.warnings) options.log(`${provider.label} (${model}): ${describeWarning(warning)}`);
    return { text: readText(answer, provider, options), model };
  };

  return {
    text: ({ system, prompt, model }) =>
      say({ system, messages: [{ role: "user", text: prompt }], model, schema: undefined }),
    json: (question) => askJson(question, { label: provider.label, say, onProgress }),
    async image({ prompt, size, model = provider.imageModel }: ImageQuestion): Promise<ImageAnswer> {
      if (model === undefined) throw new ToolFailure(`${provider.label} makes no images`);
      onProgress(`Asking ${provider.label} (${model}) for an image`);
      const { image, warnings } = await attempt(model, (each) =>
        each.picture(model)({ prompt, size, signal: options.signal }),
      );
      for (const warning of warnings) options.log(`${provider.label} (${model}): ${warning}`);
      return { ...readImage(image, provider.label), model };
    },
  };
}

function tellWait(milliseconds: number, label: string, { log, onProgress }: AskerOptions): void {
  const line = `${label} is busy or did not answer, trying again in ${Math.ceil(milliseconds / 1000)} s`;
  log(line);
  onProgress(line);
}

interface GenerateParts extends AskerOptions {
  readonly provider: Provider;
}

/** Puts a conversation to a model. A schema that the provider refuses is left out, since it stands in words as well. */
async function generate(model: LanguageModel, conversation: Conversation, parts: GenerateParts): Promise<Answer> {
  const options = createCallOptions(conversation, parts);
  try {
    return await model.doGenerate(options);
  } catch (error) {
    if (options.responseFormat === undefined || !isUnfitRequest(error)) throw error;
    parts.log(`${parts.provider.label} refused the form of the answer, asking for it in words alone`);
    const { responseFormat: _left, ...rest } = options;
    return model.doGenerate(rest);
  }
}

function createCallOptions(conversation: Conversation, parts: GenerateParts): CallOptions {
  const { system, messages } = conversation;
  const { provider, signal, maxOutputTokens = DEFAULT_MAX_TOKENS } = parts;
  const responseFormat = chooseFormat(conversation, provider);
  return {
    prompt: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      ...messages.map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] })),
    ],
    maxOutputTokens,
    abortSignal: signal,
    // Else OpenAI keeps what was asked and answered.
    providerOptions: { openai: { store: false } },
    ...(responseFormat === undefined ? {} : { responseFormat }),
  };
}

function chooseFormat({ schema }: Conversation, { id }: Provider): CallOptions["responseFormat"] {
  if (schema === undefined) return undefined;
  const forms = answerForms(id);
  const told = forms.schema ? toProviderSchema(schema) : undefined;
  // What `toProviderSchema` makes uses keywords alone that this type has, too.
  if (told !== undefined) return { type: "json", name: "answer", schema: told as NonNullable<JsonFormat["schema"]> };
  return forms.json ? { type: "json" } : undefined;
}

type JsonFormat = Extract<NonNullable<CallOptions["responseFormat"]>, { type: "json" }>;

function readText({ content, finishReason }: Answer, { label }: Provider, options: AskerOptions): string {
  const { maxOutputChars = DEFAULT_MAX_CHARS, maxOutputTokens = DEFAULT_MAX_TOKENS } = options;
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (finishReason.unified === "content-filter") throw new ToolFailure(describeFiltered(label));
  if (finishReason.unified === "length")
    throw new ToolFailure(
      `${label} was cut off: the answer is longer than ${maxOutputTokens} tokens, or than the model allows. Ask for less at once`,
    );
  if (text.length > maxOutputChars)
    throw new ToolFailure(
      `Expected an answer of at most ${maxOutputChars} characters, received ${text.length} from ${label}`,
    );
  if (text.trim() === "") throw new ToolFailure(`${label} gave an empty answer: ask again, or name another model`);
  return text;
}
