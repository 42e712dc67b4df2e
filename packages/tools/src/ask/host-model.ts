import { JsonRpcError } from "@mortise/core";
import type { HandlerContext, SampleAnswer } from "@mortise/server";
import { ToolFailure } from "../tool-failure.js";
import { askJson } from "./ask-json.js";
import type { Asker } from "./asker.js";
import type { Say } from "./conversation.js";
import { stripThoughts } from "./strip-thoughts.js";

const LABEL = "The client's model";

/** What the client's own model is asked with. */
export interface HostAskerOptions {
  readonly signal: AbortSignal;
  onProgress(message: string): void;
  /** The most tokens of one answer. @default 16_000 */
  readonly maxOutputTokens?: number | undefined;
  /** The most characters of one answer. @default 1_000_000 */
  readonly maxOutputChars?: number | undefined;
}

/**
 * Makes what asks the client's own model, through sampling. On modern revisions a question ends the run, and the tool runs again once
 * the answer is there: it has to ask the same questions then.
 */
export function createHostAsker(context: HandlerContext, options: HostAskerOptions): Asker {
  const { onProgress, maxOutputTokens = 16_000 } = options;

  const say: Say = async ({ system, messages, model }) => {
    onProgress("Asking the client's model");
    const asking = context.sample({
      messages: messages.map(({ role, text }) => ({ role, content: { type: "text", text } })),
      maxTokens: maxOutputTokens,
      systemPrompt: system,
      modelPreferences: model === undefined ? undefined : { hints: [{ name: model }] },
    });
    const answer = await withSignal(asking, options.signal).catch((error: unknown) => {
      throw explain(error);
    });
    return { text: readText(answer, options), model: answer.model };
  };

  return {
    text: ({ system, prompt, model }) =>
      say({ system, messages: [{ role: "user", text: prompt }], model, schema: undefined }),
    json: (question) => askJson(question, { label: LABEL, say, onProgress }),
    image: () => Promise.reject(new ToolFailure(`${LABEL} makes no images`)),
  };
}

/** A client refuses with an error of its own; all else, such as the end of this run, passes. */
function explain(error: unknown): unknown {
  if (!(error instanceof JsonRpcError)) return error;
  return new ToolFailure(`${LABEL} did not answer (${error.code}): allow it in the client, or configure a provider`);
}

function readText({ content, stopReason }: SampleAnswer, { maxOutputChars = 1_000_000 }: HostAskerOptions): string {
  const blocks = Array.isArray(content) ? content : [content];
  const said = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (stopReason === "maxTokens") throw new ToolFailure(`${LABEL} was cut off: ask for less at once`);
  if (said.length > maxOutputChars)
    throw new ToolFailure(`Expected an answer of at most ${maxOutputChars} characters, received ${said.length}`);
  const text = stripThoughts(said);
  if (text.trim() === "") throw new ToolFailure(`${LABEL} gave an empty answer: ask again`);
  return text;
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const end = (): void => signal.removeEventListener("abort", stop);
    work.finally(end).then(resolve, reject);
  });
}
