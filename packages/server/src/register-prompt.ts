import { isObject } from "@mortise/core";
import { expectOption, refuseNames } from "./check-options.js";
import { createItemHandle } from "./item-handle.js";
import type {
  PromptChange,
  PromptDefinition,
  PromptEntry,
  PromptHandle,
  PromptHandler,
  PromptInput,
} from "./prompt-definition.js";
import { createPrompt, type RegisteredPrompt } from "./registered-prompt.js";
import type { ServerCore } from "./server-core.js";
import { watchVerified } from "./watch-verified.js";

/** The constructor takes prompts under the protocol's names, `prompt()` under shorter ones. */
const ENTRY_NAMES: readonly (readonly [string, string])[] = [
  ["input", "arguments"],
  ["argsSchema", "arguments"],
  ["parameters", "arguments"],
];

/** Registers a prompt and gives its handle. Throws like `createPrompt`, and `duplicate_name`. */
export function registerPrompt(
  core: ServerCore,
  name: string,
  definition: PromptDefinition,
  handler: PromptHandler<PromptInput | undefined>,
): PromptHandle {
  const prompt = createPrompt(name, definition, handler);
  const place = core.prompts.add(prompt);
  watchVerified(core, prompt);
  if (prompt.completers.size > 0) core.turnOn("completions");
  // What an input promises about the types is for whoever holds the handle; the registry forgets it.
  return createItemHandle(core.prompts, { name, place }, (current, change: PromptChange) =>
    rebuild(core, current, change),
  ) as PromptHandle;
}

/** Registers a prompt of the constructor. Throws like `registerPrompt`. */
export function registerPromptEntry(core: ServerCore, entry: PromptEntry): void {
  expectOption(isObject(entry), 'an entry of "prompts"', "an object", entry);
  const { name, arguments: input, handler, ...definition } = entry;
  refuseNames(entry, ENTRY_NAMES, `prompt "${name}" of "prompts"`);
  // What a list promises about the types holds for this prompt alone; its completers are checked against its arguments.
  registerPrompt(
    core,
    name,
    { ...definition, input } as PromptDefinition,
    handler as PromptHandler<PromptInput | undefined>,
  );
}

function rebuild(
  core: ServerCore,
  prompt: RegisteredPrompt,
  { handler, ...definition }: PromptChange,
): RegisteredPrompt {
  // Checked like any definition.
  const changed = { ...prompt.definition, ...definition } as PromptDefinition;
  const built = createPrompt(prompt.name, changed, handler ?? prompt.handler, prompt.enabled);
  watchVerified(core, built);
  if (built.completers.size > 0) core.turnOn("completions");
  return built;
}
