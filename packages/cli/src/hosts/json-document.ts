import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { CommandFailure } from "../command-failure.js";

/** A file with JSON and comments, as it was written. */
export interface JsonDocument {
  readonly text: string;
  /** Its outermost object; `undefined` for a file with nothing in it. */
  readonly root: Node | undefined;
  readonly eol: "\n" | "\r\n";
  /** What one level is indented with. */
  readonly indent: string;
}

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a JSON value",
  InvalidNumberFormat: "a number",
  PropertyNameExpected: "a name in double quotes",
  ValueExpected: "a value",
  ColonExpected: '":"',
  CommaExpected: '","',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: "nothing more",
  UnexpectedEndOfComment: "an end of the comment",
  UnexpectedEndOfString: "an end of the string",
};

/**
 * Reads JSON that may have comments and trailing commas. Throws `CommandFailure` with line and column, and never with what
 * stands there, which may be a secret.
 */
export function readDocument(text: string): JsonDocument {
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  const [first] = errors;
  if (first !== undefined) throw wrongAt(text, first.offset, WORDS[printParseErrorCode(first.error)] ?? "valid JSON");
  if (root !== undefined && root.type !== "object") throw wrongAt(text, root.offset, "an object");
  return { text, root, eol: text.includes("\r\n") ? "\r\n" : "\n", indent: findIndent(text) };
}

function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // The parser goes as deep as the text does.
    if (error instanceof RangeError) throw new CommandFailure("Expected JSON that is not nested so deeply");
    throw error;
  }
}

/** The property of an object by its name. Throws `CommandFailure` where the name stands twice, since readers differ in which they take. */
export function findProperty(document: JsonDocument, object: Node, name: string): Node | undefined {
  const [found, second] = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (second !== undefined) throw wrongAt(document.text, second.offset, `"${name}" only once in its object`);
  return found;
}

/** The value of a property. */
export function readValue(property: Node): Node {
  const value = property.children?.[1];
  if (value === undefined) throw new TypeError("Expected a property with a value");
  return value;
}

/** The failure of finding something else than what is expected at a place. */
export function wrongAt(text: string, offset: number, expected: string): CommandFailure {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return new CommandFailure(`Expected ${expected} in line ${lines.length}, column ${column}`);
}

/** The white space that the first indented line begins with; two spaces where no line is indented. */
function findIndent(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}
