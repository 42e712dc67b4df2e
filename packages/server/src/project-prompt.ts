import { isObject, type JsonObject, projectContent, type Revision } from "@mortise/core";

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
