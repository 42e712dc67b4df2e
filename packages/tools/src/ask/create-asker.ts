import { readAccess } from "../providers/access.js";
import type { Environment } from "../providers/environment.js";
import { describeWarning, type OpenProvider } from "../providers/models.js";
import { openProvider } from "../providers/open-provider.js";
import type { Provider } from "../providers/provider.js";
import { PROVIDERS } from "../providers/provider-table.js";
import { ToolFailure } from "../tool-failure.js";
import { askJson } from "./ask-json.js";
import type { Asker } from "./asker.js";
import type { Say } from "./conversation.js";
import { explainFailure } from "./explain-failure.js";
import { type GenerateOptions, generate, readText } from "./generate.js";
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

/** Makes what asks one provider. Its library is loaded with the first question. */
export function createAsker(provider: Provider, options: AskerOptions): Asker {
  const { signal, onProgress, log, maxOutputTokens = 16_000, maxOutputChars = 1_000_000 } = options;
  const { label } = provider;
  const limits: GenerateOptions = { provider, signal, log, maxOutputTokens, maxOutputChars };
  const attempt = createAttempt(provider, options);

  const say: Say = async (conversation) => {
    const { model = provider.model } = conversation;
    if (!provider.text) throw new ToolFailure(`${label} only makes images`);
    onProgress(`Asking ${label} (${model})`);
    const answer = await attempt(model, (opened) => generate(opened.text(model), conversation, limits));
    for (const warning of answer.warnings) log(`${label} (${model}): ${describeWarning(warning)}`);
    return { text: readText(answer, limits), model };
  };

  return {
    text: ({ system, prompt, model }) =>
      say({ system, messages: [{ role: "user", text: prompt }], model, schema: undefined }),
    json: (question) => askJson(question, { label, say, onProgress }),
    async image({ prompt, size, model = provider.imageModel }) {
      if (model === undefined) throw new ToolFailure(`${label} makes no images`);
      onProgress(`Asking ${label} (${model}) for an image`);
      const { image, warnings } = await attempt(model, (opened) => opened.picture(model)({ prompt, size, signal }));
      for (const warning of warnings) log(`${label} (${model}): ${warning}`);
      return { ...readImage(image, label), model };
    },
  };
}

/** Makes what calls a provider with patience, and explains what went wrong in the end. */
function createAttempt(
  { id, label }: Provider,
  options: AskerOptions,
): <T>(model: string, call: (opened: OpenProvider) => Promise<T>) => Promise<T> {
  const row = PROVIDERS.find((each) => each.id === id);
  if (row === undefined) throw new RangeError(`Expected a known provider, received "${id}"`);
  let opening: Promise<OpenProvider> | undefined;

  const onWait = (milliseconds: number): void => {
    const line = `${label} is busy or broke off, trying again in ${Math.ceil(milliseconds / 1000)} s`;
    options.log(line);
    options.onProgress(line);
  };

  return async (model, call) => {
    options.signal.throwIfAborted();
    const access = readAccess(row, options.env);
    try {
      opening ??= openProvider(access);
      const opened = await opening;
      return await retry(() => call(opened), { ...options, onWait });
    } catch (error) {
      // An error that comes of giving up is not the provider's.
      options.signal.throwIfAborted();
      throw explainFailure(error, access, model);
    }
  };
}
