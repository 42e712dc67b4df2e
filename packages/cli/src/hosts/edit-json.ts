import { createScanner, type Node } from "jsonc-parser";
import { findProperty, type JsonDocument, readDocument, readValue, wrongAt } from "./json-document.js";

/** What can be written into a document. */
export type Writable = string | boolean | readonly Writable[] | { readonly [name: string]: Writable };

// Token kinds of the scanner, whose enum does not exist at run time.
const COMMA = 5;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const LINE_BREAK = 14;
const WHITE_SPACE = 15;

/**
 * Sets what stands at a path of names, with the objects on the way, and gives the text with nothing else changed: comments
 * stay with what they stand beside. Throws `CommandFailure` where something on the way is no object.
 */
export function setAt(document: JsonDocument, path: readonly string[], value: Writable): JsonDocument {
  const { text, root } = document;
  if (root === undefined) {
    const whole = writeValue(nest(path, value), document, "");
    // What a file without an object has are blanks and comments.
    const kept = text.trim() === "" ? "" : `${text.trimEnd()}${document.eol}`;
    return readDocument(`${kept}${whole}${document.eol}`);
  }
  let object = root;
  for (const [depth, name] of path.entries()) {
    const property = findProperty(document, object, name);
    const rest = path.slice(depth + 1);
    if (property === undefined) return insert(document, object, { name, value: nest(rest, value) });
    const node = readValue(property);
    if (rest.length === 0) return replace(document, node, writeValue(value, document, indentAt(text, property.offset)));
    if (node.type !== "object") throw wrongAt(text, node.offset, `"${name}" to be an object`);
    object = node;
  }
  return document;
}

/** Takes a member out of an object, with its comma. */
export function removeAt(document: JsonDocument, object: Node, name: string): JsonDocument {
  const property = findProperty(document, object, name);
  if (property === undefined) return document;
  const { children = [] } = object;
  const next = children[children.indexOf(property) + 1];
  const previous = children[children.indexOf(property) - 1];
  const [from, to] =
    next !== undefined
      ? [property.offset, next.offset]
      : [previous === undefined ? property.offset : endOf(previous), endOf(property)];
  return readDocument(document.text.slice(0, from) + document.text.slice(to));
}

/** Adds an item behind the last one of an array. */
export function appendItem(document: JsonDocument, array: Node, item: Writable): JsonDocument {
  return add(document, array, (indent) => writeValue(item, document, indent));
}

function insert(document: JsonDocument, object: Node, member: { name: string; value: Writable }): JsonDocument {
  return add(document, object, (indent) => {
    return `${JSON.stringify(member.name)}: ${writeValue(member.value, document, indent)}`;
  });
}

/** Adds something behind the last child of an object or array. */
function add(document: JsonDocument, parent: Node, write: (indent: string) => string): JsonDocument {
  const { text, eol, indent } = document;
  const last = parent.children?.at(-1);
  if (last === undefined) return fill(document, parent, write);
  const own = indentOfLine(text, last.offset);
  if (own === undefined) {
    // Everything is on one line.
    const line = write(indentAt(text, last.offset));
    return readDocument(`${text.slice(0, endOf(last))}, ${line}${text.slice(endOf(last))}`);
  }
  const { comma, end } = readTail(text, endOf(last));
  const before = comma ? text.slice(endOf(last), end) : `,${text.slice(endOf(last), end)}`;
  const added = `${eol}${own === "" ? indent : own}${write(own === "" ? indent : own)}${comma ? "," : ""}`;
  return readDocument(text.slice(0, endOf(last)) + before + added + text.slice(end));
}

/** Puts something into an object or array that is empty but for comments. */
function fill(document: JsonDocument, parent: Node, write: (indent: string) => string): JsonDocument {
  const { text, eol, indent } = document;
  const close = endOf(parent) - 1;
  const outer = indentAt(text, parent.offset);
  const kept = text.slice(0, close).trimEnd();
  return readDocument(`${kept}${eol}${outer}${indent}${write(outer + indent)}${eol}${outer}${text.slice(close)}`);
}

/** What belongs to a value behind it: its comma, and comments on the same line. */
function readTail(text: string, from: number): { readonly comma: boolean; readonly end: number } {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  let comma = false;
  let end = from;
  for (;;) {
    const kind = Number(scanner.scan());
    if (kind === COMMA) comma = true;
    else if (kind === LINE_BREAK) {
      // A comma may also stand on a later line.
      if (comma || !commaFollows(text, scanner.getPosition())) return { comma, end };
    } else if (kind !== LINE_COMMENT && kind !== BLOCK_COMMENT && kind !== WHITE_SPACE) return { comma, end };
    if (kind !== WHITE_SPACE && kind !== LINE_BREAK) end = scanner.getPosition();
  }
}

function commaFollows(text: string, from: number): boolean {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return Number(scanner.scan()) === COMMA;
}

function replace({ text }: JsonDocument, node: Node, content: string): JsonDocument {
  return readDocument(text.slice(0, node.offset) + content + text.slice(endOf(node)));
}

function nest(path: readonly string[], value: Writable): Writable {
  return path.reduceRight<Writable>((inner, name) => ({ [name]: inner }), value);
}

/** Writes a value: objects over several lines, lists of plain values on one. */
function writeValue(value: Writable, document: JsonDocument, outer: string): string {
  const { eol, indent } = document;
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = outer + indent;
  const isList = Array.isArray(value);
  if (isList && value.every((item) => typeof item !== "object"))
    return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  const lines = isList
    ? value.map((item: Writable) => writeValue(item, document, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${writeValue(item, document, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (lines.length === 0) return open + close;
  return `${open}${eol}${lines.map((line) => inner + line).join(`,${eol}`)}${eol}${outer}${close}`;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The white space before something that begins its line; `undefined` where something else stands before it. */
function indentOfLine(text: string, offset: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return line.trim() === "" ? line : undefined;
}

/** The white space that the line of something begins with. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^\s*/.exec(line)?.[0] ?? "";
}
