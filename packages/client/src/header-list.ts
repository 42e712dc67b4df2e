import { invalidOptions, isHeaderName } from "@mortise/core";
import type { Answer, AnswerHead, ErrorAnswer, RefusedAnswer } from "./link.js";
import type { HeaderList } from "./platform/platform.js";

/** Header names that the protocol or the HTTP layer writes: a configured value must not replace them. */
const RESERVED: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "host",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "transfer-encoding",
]);

// Visible Latin-1, space and tab: what every HTTP layer can send.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** How much of a body that is no answer is kept for the error message. */
const QUOTE_CHARS = 500;

/** Headers as users write them: an object, pairs, or a `Headers`. */
export type HeaderInput = Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** Configured headers, ready to send, and what of them must never be shown. */
export interface ConfiguredHeaders {
  readonly list: HeaderList;
  /** Values long enough to be secrets. */
  readonly secrets: readonly string[];
  /** Names that were left out because the protocol writes them. */
  readonly ignored: readonly string[];
}

/**
 * Reads configured headers. Names are merged case-insensitively, the last value wins, and names that belong to the
 * protocol are left out. A `login` is the authorization where none is configured. Throws `invalid_options` for a name or value that HTTP cannot carry, without showing the value.
 */
export function readHeaders(input: HeaderInput | undefined, login?: string): ConfiguredHeaders {
  const merged = new Map(login === undefined ? [] : [["authorization", login]]);
  const ignored: string[] = [];
  for (const [name, value] of listPairs(input)) {
    if (typeof name !== "string" || !isHeaderName(name))
      throw invalidOptions('every name in "headers" to be an HTTP header name');
    if (typeof value !== "string" || !VALUE.test(value)) {
      throw invalidOptions(`the value of header "${name}" to be a string without control characters, in Latin-1`);
    }
    const key = name.toLowerCase();
    if (RESERVED.has(key) || key.startsWith("mcp-param-")) ignored.push(name);
    else merged.set(key, value.trim());
  }
  return {
    list: [...merged].flat(),
    secrets: [...merged.values()].flatMap(listSecrets),
    ignored,
  };
}

/** Replaces secrets in text that came from outside and is about to be shown. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), text);
}

/** What a server says when it refuses, in short and without what it was sent: some echo that, also in their challenge. */
export function hideSecrets(answer: ErrorAnswer | RefusedAnswer, secrets: readonly string[]): Answer {
  const head: AnswerHead = {
    status: answer.head.status,
    header(name) {
      const value = answer.head.header(name);
      return value === undefined ? undefined : redact(value, secrets);
    },
  };
  if (answer.kind === "error")
    return { ...answer, head, error: { ...answer.error, message: redact(answer.error.message, secrets) } };
  // Cut last: what is left of a secret that was cut is one still.
  return { ...answer, head, body: redact(answer.body, secrets).slice(0, QUOTE_CHARS) };
}

function listPairs(input: HeaderInput | undefined): Iterable<readonly [string, string]> {
  if (input === undefined) return [];
  if (typeof input !== "object" || input === null) throw invalidOptions('"headers" to be an object');
  return Symbol.iterator in input ? input : Object.entries(input);
}

/** A value, and the credential after its scheme: servers may echo either. Very short ones would blank ordinary text. */
function listSecrets(value: string): string[] {
  const credential = value.slice(value.lastIndexOf(" ") + 1);
  return [...new Set([value, credential])].filter((text) => text.length >= 4).sort((a, b) => b.length - a.length);
}
