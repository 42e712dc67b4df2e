import { describeType, isObject, type JsonObject, MortiseError, type Revision } from "@mortise/core";

/** An argument that is being typed: of a prompt, or of the template of resources. */
export type CompletionInput = CompletionArgument &
  (
    | { readonly prompt: string; readonly template?: undefined }
    | { readonly template: string; readonly prompt?: undefined }
  );

/** What is known of the argument. */
export interface CompletionArgument {
  /** The name of the argument. */
  readonly argument: string;
  /** What was typed so far. */
  readonly value: string;
  /** Arguments that are settled already, by name. Left out for servers older than 2025-06-18. @default none */
  readonly settled?: Readonly<Record<string, string>> | undefined;
}

/** How an argument could go on. */
export interface Completion {
  /** The best first, 100 at most. */
  readonly values: readonly string[];
  /** How many there are in all, when the server told. */
  readonly total?: number | undefined;
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** The parameters of `completion/complete` as a revision has them. Throws `invalid_options`. */
export function toCompletionParams(input: CompletionInput, revision: Revision): JsonObject {
  const { prompt, template, argument, value, settled } = input;
  expectText("argument", argument);
  expectText("value", value);
  if (prompt === undefined) expectText("template", template);
  else expectText("prompt", prompt);
  const context = settled === undefined || !revision.completionContext ? {} : { context: { arguments: settled } };
  return {
    ref: prompt === undefined ? { type: "ref/resource", uri: template } : { type: "ref/prompt", name: prompt },
    argument: { name: argument, value },
    ...context,
  };
}

/** Reads the result of `completion/complete`. Throws `invalid_response` for one without values. */
export function readCompletion({ completion }: JsonObject): Completion {
  if (!isObject(completion) || !Array.isArray(completion.values))
    throw new MortiseError("invalid_response", 'Expected "completion.values" of the result to be an array');
  const { values, total, hasMore } = completion;
  return {
    values: values.filter((value: unknown) => typeof value === "string"),
    total: typeof total === "number" ? total : undefined,
    hasMore: hasMore === true,
  };
}

function expectText(name: string, value: unknown): void {
  if (typeof value !== "string")
    throw new MortiseError("invalid_options", `Expected "${name}" to be a string, received ${describeType(value)}`);
}
