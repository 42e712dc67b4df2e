import { type Ask, isObject, type JsonObject, type Revision } from "@mortise/core";
import { expectOption, readDisplay, refuseNames } from "./check-options.js";
import { type Completers, readCompleters } from "./completer.js";
import { membersOf } from "./known-members.js";
import { type ReadyArguments, readArguments } from "./prompt-arguments.js";
import type { PromptDefinition, PromptHandler, PromptInput } from "./prompt-definition.js";
import { readRequiredAsks } from "./required-asks.js";
import { readVisible, type Visible } from "./visible.js";

type AnyHandler = PromptHandler<PromptInput | undefined>;

/** A prompt with everything built that can be built before it is asked for. */
export interface RegisteredPrompt {
  readonly name: string;
  readonly enabled: boolean;
  readonly visible: Visible | undefined;
  readonly definition: PromptDefinition;
  readonly handler: AnyHandler;
  readonly arguments: ReadyArguments;
  readonly completers: Completers;
  readonly asks: readonly Ask[];
  /** Resolve with what is wrong with the schema, where that takes a closer look. */
  readonly verified: readonly ReadyArguments["verified"][];
  /** The definition as the newest revision lists it. */
  readonly listing: JsonObject;
  /** The JSON text of the definition as a revision lists it. */
  listed(revision: Revision): string;
}

const NAMES_ELSEWHERE: readonly (readonly [string, string])[] = [
  ["arguments", "input"],
  ["argsSchema", "input"],
  ["inputSchema", "input"],
  ["parameters", "input"],
];

/** Builds a prompt. Throws a `MortiseError` naming the prompt when its definition cannot be served. */
export function createPrompt(
  name: string,
  definition: PromptDefinition,
  handler: AnyHandler,
  enabled = true,
): RegisteredPrompt {
  const where = `prompt "${name}"`;
  expectOption(
    typeof name === "string" && name !== "",
    "a prompt's name",
    "a string with at least one character",
    name,
  );
  expectOption(isObject(definition), `the definition of ${where}`, "an object", definition);
  expectOption(typeof handler === "function", `the handler of ${where}`, "a function", handler);
  refuseNames(definition, NAMES_ELSEWHERE, `the definition of ${where}`);
  const args = readArguments(definition.input, where);
  const names = args.listing.map((argument) => String(argument.name));
  const listing = createListing(name, definition, args);
  const texts = new Map<Revision, string>();
  return {
    name,
    enabled,
    visible: readVisible(definition.visible, where),
    definition,
    handler,
    arguments: args,
    completers: readCompleters(definition.complete, names, where),
    asks: readRequiredAsks(definition.asks, where),
    verified: [args.verified],
    listing,
    listed(revision) {
      let text = texts.get(revision);
      if (text === undefined) {
        text = JSON.stringify(toRevisionPrompt(listing, revision));
        texts.set(revision, text);
      }
      return text;
    },
  };
}

function createListing(name: string, definition: PromptDefinition, args: ReadyArguments): JsonObject {
  const owner = ` of prompt "${name}"`;
  return {
    name,
    ...readDisplay(definition, "title", "string", owner),
    ...readDisplay(definition, "description", "string", owner),
    ...readDisplay(definition, "icons", "icons", owner),
    ...(args.listing.length === 0 ? {} : { arguments: args.listing }),
    ...readDisplay(definition, "_meta", "object", owner),
  };
}

/** A prompt's definition as a revision lists it: without members it does not know. */
function toRevisionPrompt(listing: JsonObject, revision: Revision): JsonObject {
  const known = membersOf(revision);
  const projected = pick(listing, known.prompt);
  if (Array.isArray(projected.arguments))
    projected.arguments = projected.arguments.map((each) => pick(each as JsonObject, known.promptArgument));
  return projected;
}

function pick(source: JsonObject, members: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([member]) => members.has(member)));
}
