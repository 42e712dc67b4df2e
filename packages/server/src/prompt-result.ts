import { describeType, isObject, type JsonObject } from "@mortise/core";
import type { isBlock } from "./content-block.js";
import type { InvalidOutput } from "./tool-result.js";

/** What is known of a prompt's result. */
export interface PromptRules {
  /** The prompt, in errors. */
  readonly name: string;
  readonly isBlock: typeof isBlock;
  readonly InvalidOutput: typeof InvalidOutput;
}

/**
 * Makes a whole result of what the handler of a prompt returned: text or a block alone is a message of the user. Throws
 * `InvalidOutput` for what is no message. Loaded with the first result.
 */
export function toPromptResult(rules: PromptRules, returned: unknown): JsonObject {
  if (!isObject(returned) || !("messages" in returned)) return { messages: toMessages(rules, returned) };
  const { messages, description, _meta, ...rest } = returned;
  if (rest.resultType === "input_required") throw invalid(rules, "questions that are not made by inputRequired()");
  if (!Array.isArray(messages)) throw invalid(rules, `"messages" as ${describeType(messages)}`);
  if (description !== undefined && typeof description !== "string")
    throw invalid(rules, `"description" as ${describeType(description)}`);
  if (_meta !== undefined && !isObject(_meta)) throw invalid(rules, `"_meta" as ${describeType(_meta)}`);
  return {
    ...rest,
    ...(description === undefined ? {} : { description }),
    messages: toMessages(rules, messages),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function toMessages(rules: PromptRules, returned: unknown): readonly JsonObject[] {
  return [returned].flat().map((part) => toMessage(rules, part));
}

function toMessage(rules: PromptRules, part: unknown): JsonObject {
  if (!isObject(part) || !("role" in part)) return { role: "user", content: toContent(rules, part) };
  const { role, content, ...rest } = part;
  if (role !== "user" && role !== "assistant")
    throw invalid(rules, "a message whose role is neither user nor assistant");
  return { ...rest, role, content: toContent(rules, content) };
}

function toContent(rules: PromptRules, content: unknown): JsonObject {
  if (typeof content === "string") return { type: "text", text: content };
  if (rules.isBlock(content)) return content;
  throw invalid(rules, `content that is incomplete or of an unknown type, as ${describeType(content)}`);
}

function invalid({ name, InvalidOutput }: PromptRules, what: string): InvalidOutput {
  return new InvalidOutput(`Prompt "${name}" returned ${what}`);
}
