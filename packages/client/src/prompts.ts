import { type ContentBlock, type Icon, isObject, type JsonObject, MortiseError } from "@mortise/core";

/** A prompt as the server lists it. Members this client does not know are kept. */
export interface Prompt {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: readonly PromptArgument[] | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** An argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** @default false */
  readonly required?: boolean | undefined;
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** A prompt with its arguments filled in. Members this client does not know are kept. */
export interface PromptResult {
  readonly description?: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly [member: string]: unknown;
}

/** Reads the result of `prompts/get`. Throws `invalid_response` for one without `messages`. */
export function readPromptResult(result: JsonObject): PromptResult {
  const { messages } = result;
  if (!Array.isArray(messages) || !messages.every(isObject))
    throw new MortiseError("invalid_response", 'Expected "messages" in the result of "prompts/get" to be objects');
  return result as unknown as PromptResult; // the messages are there, and what they hold is for whoever reads them
}
