import { describeType, isObject, type JsonObject, projectContent, type Revision } from "@mortise/core";
import { isBlock } from "./content-block.js";
import { InvalidOutput } from "./tool-result.js";

/**
 * Makes a whole result of what the handler of a prompt returned: text or a block alone is a message of the user. Throws
 * `InvalidOutput` for what is no message.
 */
export function toPromptResult(name: string, returned: unknown): JsonObject {
  if (!isObject(returned) || !("messages" in returned)) return { messages: toMessages(name, returned) };
  const { messages, description, _meta, ...rest } = returned;
  if (!Array.isArray(messages)) throw invalid(name, `"messages" as ${describeType(messages)}`);
  if (description !== undefined && typeof description !== "string")
    throw invalid(name, `"description" as ${describeType(description)}`);
  if (_meta !== undefined && !isObject(_meta)) throw invalid(name, `"_meta" as ${describeType(_meta)}`);
  return {
    ...rest,
    ...(description === undefined ? {} : { description }),
    messages: toMessages(name, messages),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** Makes the messages of a prompt fit a revision: with content of kinds it knows. */
export function projectPromptResult(result: JsonObject, revision: Revision): JsonObject {
  const { messages } = result;
  return Array.isArray(messages)
    ? { ...result, messages: messages.map((message) => projectMessage(message, revision)) }
    : result;
}

function projectMessage(message: unknown, revision: Revision): unknown {
  if (!isObject(message)) return message;
  const [content] = projectContent([message.content], revision.content);
  return { ...message, content };
}

function toMessages(name: string, returned: unknown): readonly JsonObject[] {
  return [returned].flat().map((part) => toMessage(name, part));
}

function toMessage(name: string, part: unknown): JsonObject {
  if (!isObject(part) || !("role" in part)) return { role: "user", content: toContent(name, part) };
  const { role, content, ...rest } = part;
  if (role !== "user" && role !== "assistant")
    throw invalid(name, "a message whose role is neither user nor assistant");
  return { ...rest, role, content: toContent(name, content) };
}

function toContent(name: string, content: unknown): JsonObject {
  if (typeof content === "string") return { type: "text", text: content };
  if (isBlock(content)) return content;
  throw invalid(name, `content that is incomplete or of an unknown type, as ${describeType(content)}`);
}

function invalid(name: string, what: string): InvalidOutput {
  return new InvalidOutput(`Prompt "${name}" returned ${what}`);
}
