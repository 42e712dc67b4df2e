import type { LanguageModel } from "../providers/models.js";
import { answerForms } from "../providers/open-provider.js";
import type { Provider } from "../providers/provider.js";
import { ToolFailure } from "../tool-failure.js";
import type { Conversation } from "./conversation.js";
import { describeFiltered, isUnfitRequest } from "./explain-failure.js";
import { toProviderSchema } from "./provider-schema.js";
import { stripThoughts } from "./strip-thoughts.js";

/** What an answer has to keep to. */
export interface GenerateOptions {
  readonly provider: Provider;
  readonly signal: AbortSignal;
  readonly maxOutputTokens: number;
  readonly maxOutputChars: number;
  log(line: string): void;
}

/** What a model of the AI SDK answers. */
export type Answer = Awaited<ReturnType<LanguageModel["doGenerate"]>>;

type CallOptions = Parameters<LanguageModel["doGenerate"]>[0];
type JsonFormat = Extract<NonNullable<CallOptions["responseFormat"]>, { type: "json" }>;

const PROVIDER_OPTIONS: NonNullable<CallOptions["providerOptions"]> = {
  // Else what was asked and answered is kept there.
  openai: { store: false },
  // Else models that the library does not know are made to call a tool, and an answer in words is lost.
  anthropic: { structuredOutputMode: "outputFormat" },
};

/** Puts a conversation to a model. A schema that the provider refuses is left out, since it stands in words as well. */
export async function generate(
  model: LanguageModel,
  conversation: Conversation,
  options: GenerateOptions,
): Promise<Answer> {
  const { responseFormat, ...call } = createCallOptions(conversation, options);
  if (responseFormat === undefined) return model.doGenerate(call);
  try {
    return await model.doGenerate({ ...call, responseFormat });
  } catch (error) {
    if (!isUnfitRequest(error)) throw error;
    options.log(`${options.provider.label} refused the form of the answer, asking for it in words alone`);
    return model.doGenerate(call);
  }
}

/** Reads the text of an answer. Throws `ToolFailure` for one that was held back, was cut off, is too long or empty. */
export function readText({ content, finishReason }: Answer, options: GenerateOptions): string {
  const { maxOutputChars, maxOutputTokens } = options;
  const { label } = options.provider;
  const said = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const { unified, raw } = finishReason;
  if (unified === "content-filter" || /filter|toxic|safety/i.test(raw ?? ""))
    throw new ToolFailure(describeFiltered(label));
  if (unified === "error")
    throw new ToolFailure(`${label} ended the answer with an error: try again, or another provider`);
  if (unified === "length")
    throw new ToolFailure(
      `${label} was cut off: the answer is longer than ${maxOutputTokens} tokens, or than the model allows. Ask for less at once`,
    );
  if (said.length > maxOutputChars)
    throw new ToolFailure(
      `Expected an answer of at most ${maxOutputChars} characters, received ${said.length} from ${label}`,
    );
  const text = stripThoughts(said);
  if (text.trim() === "") throw new ToolFailure(`${label} gave an empty answer: ask again, or name another model`);
  return text;
}

function createCallOptions(conversation: Conversation, options: GenerateOptions): CallOptions {
  const { system, messages } = conversation;
  const { provider, signal, maxOutputTokens } = options;
  const responseFormat = chooseFormat(conversation, provider);
  return {
    prompt: [
      ...(system === undefined ? [] : [{ role: "system" as const, content: system }]),
      ...messages.map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] })),
    ],
    maxOutputTokens,
    abortSignal: signal,
    providerOptions: PROVIDER_OPTIONS,
    ...(responseFormat === undefined ? {} : { responseFormat }),
  };
}

function chooseFormat({ schema }: Conversation, { id }: Provider): JsonFormat | undefined {
  if (schema === undefined) return undefined;
  const forms = answerForms(id);
  const told = forms.schema ? toProviderSchema(schema) : undefined;
  // What `toProviderSchema` makes uses only keywords that this type has, too.
  if (told !== undefined) return { type: "json", name: "answer", schema: told as NonNullable<JsonFormat["schema"]> };
  return forms.json ? { type: "json" } : undefined;
}
