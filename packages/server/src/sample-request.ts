import { describeType, isObject, type JsonObject, MortiseError, type Revision } from "@mortise/core";

const MEMBERS = [
  "messages",
  "modelPreferences",
  "systemPrompt",
  "includeContext",
  "temperature",
  "maxTokens",
  "stopSequences",
  "metadata",
  "tools",
  "toolChoice",
];

/**
 * Reads what a handler asks of the client's model. Throws `invalid_options` for what no client could answer, and for tools that
 * were used without their results. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
 */
export function readSample(sample: JsonObject): JsonObject {
  const { messages, maxTokens, tools } = sample;
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('"messages"', "an array of messages", messages);
  if (!Number.isSafeInteger(maxTokens) || Number(maxTokens) < 1)
    throw invalid('"maxTokens"', "a positive integer", maxTokens);
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isTool)))
    throw invalid('"tools"', 'an array of tools, each with "name" and "inputSchema"', tools);
  for (const message of messages) requireMessage(message);
  requireBalance(messages);
  return Object.fromEntries(
    MEMBERS.filter((member) => sample[member] !== undefined).map((member) => [member, sample[member]]),
  );
}

/**
 * The question as a revision knows it: one block for each message and no sound where only that is known. What needs an ability
 * of its own is left out for a client that did not declare it.
 */
export function projectSample(params: JsonObject, revision: Revision, capabilities: JsonObject): JsonObject {
  const { includeContext, ...rest } = params;
  const { sampling } = capabilities;
  // Earlier revisions have no word for this ability.
  const context = !revision.richSamples || (isObject(sampling) && isObject(sampling.context));
  const kept = includeContext === undefined || (!context && includeContext !== "none") ? {} : { includeContext };
  const messages = params.messages as readonly JsonObject[]; // read above
  return {
    ...rest,
    ...kept,
    messages: revision.richSamples ? messages : messages.flatMap((message) => toOldMessages(message, revision)),
  };
}

function toOldMessages({ role, content }: JsonObject, revision: Revision): JsonObject[] {
  return [content].flat().map((block) => ({ role, content: toOldBlock(block as JsonObject, revision) })); // read above
}

function toOldBlock(block: JsonObject, revision: Revision): JsonObject {
  if (block.type !== "audio" || revision.content.has("audio")) return block;
  return { type: "text", text: `(sound of type ${String(block.mimeType)}, which this client cannot take)` };
}

function requireMessage(message: unknown): void {
  if (!isObject(message)) throw invalid("a message", "an object", message);
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") throw invalid('"role" of a message', '"user" or "assistant"', role);
  const blocks = [content].flat();
  if (blocks.length === 0 || !blocks.every((block) => isObject(block) && typeof block.type === "string"))
    throw invalid('"content" of a message', "a content block, or an array of them", content);
}

/** Every use of a tool has its result in the next message, which holds nothing else. */
function requireBalance(messages: readonly JsonObject[]): void {
  let used: readonly unknown[] = [];
  for (const message of [...messages, { content: [] }]) {
    const blocks = [message.content].flat() as readonly JsonObject[]; // required above
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ toolUseId }) => toolUseId);
    const answered = results.length === used.length && used.every((id) => results.includes(id));
    if (!answered || (results.length > 0 && results.length < blocks.length))
      throw new MortiseError(
        "invalid_options",
        "Expected each use of a tool to be followed by a message of tool results alone, one for each use",
      );
    used = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  }
}

function isTool(tool: unknown): boolean {
  return isObject(tool) && typeof tool.name === "string" && isObject(tool.inputSchema);
}

function invalid(what: string, expected: string, received: unknown): MortiseError {
  return new MortiseError(
    "invalid_options",
    `Expected ${what} of a sampling question to be ${expected}, received ${describeType(received)}`,
  );
}
