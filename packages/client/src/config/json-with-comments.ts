import { MortiseError } from "@mortise/core";

/** Deeper nesting than this is no configuration, and would exhaust the stack. */
const MAX_DEPTH = 64;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;
const BLANK = /[ \t\r\n]*/y;
const LINE_END = /\r\n|\r|\n/g;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/**
 * Parses JSON that may have comments, trailing commas and a byte-order mark, and nothing else that JSON lacks. Throws
 * `parse_error` with line and column, and never with what stands there, since that may be a secret.
 */
export function parseJsonWithComments(text: string): unknown {
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  parse(): unknown {
    this.#skipBlank();
    const value = this.#readValue(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw this.#wrong("nothing more");
    return value;
  }

  #readValue(depth: number): unknown {
    if (depth > MAX_DEPTH) throw this.#wrong(`at most ${MAX_DEPTH} levels of nesting`);
    switch (this.#text[this.#at]) {
      case "{":
        return this.#readObject(depth);
      case "[":
        return this.#readList(depth);
      case '"':
        return this.#readString();
      default:
        return this.#readPlain();
    }
  }

  #readObject(depth: number): Record<string, unknown> {
    const members = new Map<string, unknown>();
    this.#readItems("}", () => {
      const start = this.#at;
      if (this.#text[this.#at] !== '"') throw this.#wrong('a name in double quotes, or "}"');
      const name = this.#readString();
      // Whoever reads the file next would take the other one.
      if (members.has(name)) throw this.#wrong("each name once in an object", start);
      this.#skipBlank();
      if (!this.#take(":")) throw this.#wrong('":"');
      this.#skipBlank();
      members.set(name, this.#readValue(depth + 1));
    });
    // Defines members, so that "__proto__" is one like any other.
    return Object.fromEntries(members);
  }

  #readList(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#readItems("]", () => items.push(this.#readValue(depth + 1)));
    return items;
  }

  /** Reads what stands between brackets: items with commas between them, one of which may follow the last. */
  #readItems(close: string, readItem: () => void): void {
    this.#at += 1;
    this.#skipBlank();
    while (!this.#take(close)) {
      readItem();
      this.#skipBlank();
      if (this.#take(",")) this.#skipBlank();
      else if (this.#text[this.#at] !== close) throw this.#wrong(`"," or "${close}"`);
    }
  }

  #readString(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at += 1) {
      const char = this.#text.charCodeAt(at);
      if (char === 0x22) {
        this.#at = at + 1;
        return this.#decodeString(start);
      }
      if (char === 0x5c) at += 1;
      else if (char < 0x20) throw this.#wrong("no line end or control character in a string", at);
    }
    throw this.#wrong("an end of the string that begins", start);
  }

  #decodeString(start: number): string {
    const quoted = this.#text.slice(start, this.#at);
    if (!quoted.includes("\\")) return quoted.slice(1, -1);
    try {
      return JSON.parse(quoted) as string; // in double quotes, so a string or an error
    } catch (error) {
      // Without its cause, which quotes the text.
      if (error instanceof SyntaxError) throw this.#wrong("only the escapes of JSON in the string that begins", start);
      throw error;
    }
  }

  #readPlain(): number | boolean | null {
    const start = this.#at;
    const number = this.#match(NUMBER);
    if (number !== "") return Number(number);
    const word = WORDS.get(this.#match(WORD));
    if (word === undefined) throw this.#wrong("a JSON value", start);
    return word;
  }

  #skipBlank(): void {
    for (;;) {
      this.#match(BLANK);
      if (this.#text.startsWith("//", this.#at)) this.#skipLine();
      else if (this.#text.startsWith("/*", this.#at)) this.#skipBlock();
      else return;
    }
  }

  #skipLine(): void {
    LINE_END.lastIndex = this.#at;
    const end = LINE_END.exec(this.#text);
    this.#at = end === null ? this.#text.length : end.index;
  }

  #skipBlock(): void {
    const end = this.#text.indexOf("*/", this.#at + 2);
    if (end === -1) throw this.#wrong("an end of the comment that begins");
    this.#at = end + 2;
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  /** Takes what a sticky pattern matches here; nothing when it does not. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #wrong(expected: string, at: number = this.#at): MortiseError {
    const lines = this.#text.slice(0, at).split(LINE_END);
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return new MortiseError("parse_error", `Expected ${expected} in line ${lines.length}, column ${column}`);
  }
}
