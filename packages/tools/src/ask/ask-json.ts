import { type JsonObject, MortiseError } from "@mortise/core";
import { createValidator, type Validate } from "@mortise/server/json-schema";
import { ToolFailure } from "../tool-failure.js";
import type { JsonQuestion } from "./asker.js";
import type { Conversation, Message, Say } from "./conversation.js";
import { dropNulls } from "./drop-nulls.js";
import { readJson } from "./read-json.js";

/** So much of what is wrong is told, to the model and to the user. */
const MOST_LETTERS = 2000;
/** So much of a refused answer is shown to the model again. */
const MOST_REPEATED = 50_000;

/** Who answers, and who hears of a second try. */
export interface JsonParts {
  readonly label: string;
  readonly say: Say;
  onProgress(message: string): void;
}

type Reading<T> = { readonly value: T } | { readonly problem: string };

/** Asks for JSON, and once more with what was wrong. Throws `ToolFailure` where the second answer is no better. */
export async function askJson<T>(question: JsonQuestion<T>, { label, say, onProgress }: JsonParts): Promise<T> {
  const read = createReader(question);
  const conversation = openConversation(question);
  const first = await say(conversation);
  const reading = await read(first.text);
  if ("value" in reading) return reading.value;
  onProgress(`The answer of ${label} did not fit, asking again`);
  const second = await say({
    ...conversation,
    messages: [...conversation.messages, ...correct(first.text, reading.problem)],
  });
  const again = await read(second.text);
  if ("value" in again) return again.value;
  throw new ToolFailure(`${label} (${second.model}) gave no usable answer, asked twice: ${again.problem}`);
}

function openConversation({ system, prompt, model, schema }: JsonQuestion<never>): Conversation {
  const form = `Answer with one JSON value that fits the JSON Schema below, and with nothing else: no words around it, no code fence.\n\n${JSON.stringify(schema)}`;
  return {
    system: system === undefined ? form : `${system}\n\n${form}`,
    messages: [{ role: "user", text: prompt }],
    model,
    schema,
  };
}

function correct(answer: string, problem: string): Message[] {
  const repeated = answer.trim().slice(0, MOST_REPEATED);
  return [
    // A message without text is refused by some providers.
    ...(repeated === "" ? [] : [{ role: "assistant" as const, text: repeated }]),
    {
      role: "user",
      text: `${repeated === "" ? "" : "That answer cannot be used: "}${problem}\n\nAnswer again with the whole corrected JSON value and nothing else.`,
    },
  ];
}

function createReader<T>({ schema, check }: JsonQuestion<T>): (text: string) => Promise<Reading<T>> {
  const validate = compile(schema);
  return async (text) => {
    if (text.trim() === "") return { problem: "The answer is empty" };
    const found = readJson(text).map((value) => dropNulls(value, schema));
    const fitting = found.find((value) => validate(value).ok);
    if (fitting === undefined) return { problem: describeMisfit(found[0], validate) };
    // Fits the schema, which describes `T`.
    const value = fitting as T;
    const problem = await check?.(value);
    return problem === undefined ? { value } : { problem: cut(problem) };
  };
}

function describeMisfit(value: unknown, validate: Validate): string {
  if (value === undefined) return "The answer is not valid JSON";
  const checked = validate(value);
  const issues = checked.ok ? [] : checked.issues;
  return cut(
    `The answer does not fit the schema: ${issues.map(({ path, message }) => `${path} ${message}`.trim()).join("; ")}`,
  );
}

/** Schemas that callers of a tool give are checked by the tool; this one is a last resort. */
function compile(schema: JsonObject): Validate {
  try {
    return createValidator(schema);
  } catch (error) {
    if (error instanceof MortiseError)
      throw new ToolFailure(`The schema of the answer cannot be used: ${error.message}`);
    throw error;
  }
}

function cut(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}
