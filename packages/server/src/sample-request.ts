import { describeType, isObject, type JsonObject, MortiseError, type Revision } from "@mortise/core";

/** What a question may have besides its messages and their limit. */
const OPTIONS: readonly (readonly [member: string, expected: string, holds: (value: unknown) => boolean])[] = [
  ["modelPreferences", "an object", isObject],
  ["systemPrompt", "a string", isText],
  ["includeContext", '"none", "thisServer" or "allServers"', (value) => CONTEXTS.has(value)],
  ["temperature", "a number", Number.isFinite],
  ["stopSequences", "an array of strings", (value) => Array.isArray(value) && value.every(isText)],
  ["metadata", "an object", isObject],
  [
    "tools",
    'an array of tools, each with "name" and "inputSchema"',
    (value) => Array.isArray(value) && value.every(isTool),
  ],
  ["toolChoice", "an object", isObject],
];
const CONTEXTS: ReadonlySet<unknown> = new Set(["none", "thisServer", "allServers"]);
/** Members that must be text in a block of a message, by its type. */
const BLOCK_TEXTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["tool_use", ["id", "name"]],
  ["tool_result", ["toolUseId"]],
]);

/**
 * Reads what a handler asks of the client's model. Throws `invalid_options` for what no client could answer, and for tools that
 * were used without their results. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
 */
export function readSample(sample: JsonObject): JsonObject {
  const { messages, maxTokens } = sample;
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('"messages"', "an array of messages", messages);
  if (!Number.isSafeInteger(maxTokens) || Number(maxTokens) < 1)
    throw invalid('"maxTokens"', "a positive integer", maxTokens);
  const given = OPTIONS.filter(([member]) => sample[member] !== undefined);
  for (const [member, expected, holds] of given)
    if (!holds(sample[member])) throw invalid(`"${member}"`, expected, sample[member]);
  for (const message of messages) requireMessage(message);
  requireBalance(messages);
  return { messages, maxTokens, ...Object.fromEntries(given.map(([member]) => [member, sample[member]])) };
}

/** Whether a question speaks of tools, offered or used, which takes a client that knows them. */
export function hasTools({ messages, tools, toolChoice }: JsonObject): boolean {
  if (tools !== undefined || toolChoice !== undefined) return true;
  const blocks = (messages as readonly JsonObject[]).flatMap(({ content }) => content) as readonly JsonObject[]; // read above
  return blocks.some(({ type }) => type === "tool_use" || type === "tool_result");
}

/** Whether a value is a block of a message, and whole if it is of a known type. */
export function isSampleBlock(block: unknown): boolean {
  if (!isObject(block) || !isText(block.type)) return false;
  if (block.type === "tool_use" && !isObject(block.input)) return false;
  if (block.type === "tool_result" && !Array.isArray(block.content)) return false;
  return (BLOCK_TEXTS.get(block.type) ?? []).every((member) => isText(block[member]));
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
  const known = blocks.every((block) => isSampleBlock(block) && BLOCK_TEXTS.has((block as JsonObject).type)); // a block
  if (blocks.length === 0 || !known)
    throw invalid(
      '"content" of a message',
      "a whole block of text, image, sound or a tool, or an array of them",
      content,
    );
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

function isText(value: unknown): value is string {
  return typeof value === "string";
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
