import { describeType, isObject, isThenable, type JsonObject } from "@mortise/core";
import { isBlock } from "./content-block.js";
import type { RegisteredTool } from "./registered-tool.js";
import type { Checked, Issue } from "./schema/compiled.js";

const FIT_FOR_JSON = "Expected a tool to return a value that JSON can hold";
/** So much of a place or of what is wrong with it is told. */
const MOST_LETTERS = 1000;

/** What a tool returned that cannot be sent. */
export class InvalidOutput extends Error {
  override readonly name = "InvalidOutput";
}

/**
 * Makes a whole result of what a handler returned. With an output schema the structured value is validated, and the
 * validated value is what is sent. Throws `InvalidOutput` for values that break the schema or the protocol.
 */
export function toToolResult(tool: RegisteredTool, returned: unknown): JsonObject | Promise<JsonObject> {
  const { output } = tool;
  if (output === undefined) return fromReturned(tool, returned);
  if (isObject(returned)) requireResult(tool, returned);
  if (isObject(returned) && isWholeStructuredResult(returned)) {
    if (returned.isError === true) return checkResult(tool, returned);
    return withChecked(output.check(returned.structuredContent), (value) => {
      return checkResult(tool, { ...returned, structuredContent: value });
    });
  }
  return withChecked(output.check(returned), toStructured);

  function withChecked(
    checked: Checked | Promise<Checked>,
    build: (value: unknown) => JsonObject,
  ): JsonObject | Promise<JsonObject> {
    return isThenable(checked) ? checked.then((later) => build(accept(tool, later))) : build(accept(tool, checked));
  }
}

/** A result that tells the model what went wrong. */
export function createErrorResult(message: string): JsonObject {
  return { content: [{ type: "text", text: message }], isError: true };
}

/** Lists what is wrong with a value, one line for each place. Names are the sender's, and of any length. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => (path === "" ? cut(message) : `${cut(path)}: ${cut(message)}`)).join("\n");
}

function cut(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}

/** Questions written by hand would be put to clients that cannot answer them, and nobody could check the answers. */
function requireResult(tool: RegisteredTool, returned: JsonObject): void {
  if (returned.resultType === "input_required")
    throw new InvalidOutput(`Tool "${tool.name}" returned questions that are not made by inputRequired()`);
}

function accept(tool: RegisteredTool, checked: Checked): unknown {
  if (checked.ok) return checked.value;
  throw new InvalidOutput(
    `Tool "${tool.name}" returned output that does not match its output schema\n${describeIssues(checked.issues)}`,
  );
}

function fromReturned(tool: RegisteredTool, returned: unknown): JsonObject {
  if (typeof returned === "string") return { content: [{ type: "text", text: returned }] };
  if (returned === undefined || returned === null) return { content: [] };
  if (Array.isArray(returned))
    return returned.length > 0 && returned.every(isBlock) ? { content: returned } : toStructured(returned);
  if (!isObject(returned)) return { content: [{ type: "text", text: toText(returned) }] };
  requireResult(tool, returned);
  if (isBlock(returned)) return { content: [returned] };
  return isWholeResult(returned) ? checkResult(tool, returned) : toStructured(returned);
}

function toStructured(value: unknown): JsonObject {
  return { content: [{ type: "text", text: toText(value) }], structuredContent: value };
}

/** The JSON text of a value. A value that JSON cannot hold throws here, which fails this one call. */
function toText(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${FIT_FOR_JSON}, received ${describeType(value)}`);
  // JSON silently keeps nothing of a Map, an Error or a generator, and the indices of bytes.
  if ((text === "{}" || text.startsWith('{"0":')) && tagOf(value) !== "Object")
    throw new TypeError(`${FIT_FOR_JSON}, received an object of type ${tagOf(value)}`);
  return text;
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** An object that chooses another form in JSON is a value like any other. */
function isWholeResult(value: JsonObject): boolean {
  return (
    typeof value.toJSON !== "function" &&
    Array.isArray(value.content) &&
    value.content.every((block) => isObject(block) && typeof block.type === "string")
  );
}

/** With an output schema, an object that merely has a `content` member may be the structured value itself. */
function isWholeStructuredResult(value: JsonObject): boolean {
  return isWholeResult(value) && (value.isError === true || value.structuredContent !== undefined);
}

function checkResult(tool: RegisteredTool, result: JsonObject): JsonObject {
  const { isError = false, _meta = {} } = result;
  if (typeof isError !== "boolean" || !isObject(_meta))
    throw new InvalidOutput(`Tool "${tool.name}" returned a result whose "isError" or "_meta" is malformed`);
  for (const block of result.content as readonly unknown[]) {
    if (!isBlock(block))
      throw new InvalidOutput(`Tool "${tool.name}" returned a content block that is incomplete or of an unknown type`);
  }
  return result;
}
