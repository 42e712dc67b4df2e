import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { describeUrl } from "../failures.js";
import { parseJson } from "../json-text.js";
import type { GuardedAnswer, SendGuarded } from "./guarded-request.js";

/** Where a document may be. */
export interface DocumentPlace {
  readonly url: string;
  /** What named the address, for messages. */
  readonly named: string;
}

/** Why a document was not found at one place. */
export interface Miss {
  /** The place and the reason, for the message that comes when nothing was found anywhere. */
  readonly tried: string;
  /**
   * `absent` when the server said so; `unusable` for answers that are no such document; `hidden` when a browser
   * got no answer, which is also how it shows the refusal of a server that forgets its CORS headers; `trouble` when there may be one later.
   */
  readonly kind: "absent" | "unusable" | "hidden" | "trouble";
}

/** What is looked for. */
export interface DocumentSearch<T, P extends DocumentPlace> {
  /** Where to look, in this order. */
  readonly places: readonly P[];
  /** Takes what is needed from a document, or says why it is of no use. */
  readonly read: (document: JsonObject, place: P) => T | string | Promise<T | string>;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What was found, or where it was looked for in vain. */
export type SearchOutcome<T> =
  | { readonly found: T; readonly misses?: undefined }
  | { readonly found?: undefined; readonly misses: readonly Miss[] };

/**
 * Gives the first of several documents that can be used, or why there is none. An answer that refuses is a miss: proxies and user
 * pools refuse what they do not know in every way. Rejects with `address_refused`, and with the reason of the signal.
 */
export async function findDocument<T extends object, P extends DocumentPlace>(
  search: DocumentSearch<T, P>,
): Promise<SearchOutcome<T>> {
  const misses: Miss[] = [];
  for (const place of search.places) {
    const outcome = await lookAt(search, place);
    if ("found" in outcome) return outcome;
    misses.push(outcome);
  }
  return { misses };
}

async function lookAt<T extends object, P extends DocumentPlace>(
  search: DocumentSearch<T, P>,
  place: P,
): Promise<{ readonly found: T } | Miss> {
  const answer = await ask(search, place);
  if ("tried" in answer) return answer;
  if (answer.status < 200 || answer.status > 299) return miss(place, `HTTP ${answer.status}`, judge(answer.status));
  const document = parseJson(answer.text);
  const found = isObject(document) ? await search.read(document, place) : "no JSON object";
  return typeof found === "string" ? miss(place, found, "unusable") : { found };
}

async function ask(
  { send, signal, headers }: Omit<DocumentSearch<object, DocumentPlace>, "read">,
  { url, named }: DocumentPlace,
): Promise<GuardedAnswer | Miss> {
  try {
    return await send({ url, named, headers: { accept: "application/json", ...headers }, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof MortiseError) || error.code !== "login_failed") throw error;
    // Where the network is down, there is none for what explains it either.
    const explaining = await import("./missed-documents.js").catch(() => undefined);
    if (explaining === undefined) throw error;
    return explaining.describeFailure(error);
  }
}

/** Other answers than a refusal say nothing about what is there, and 429 neither. */
function judge(status: number): Miss["kind"] {
  return status >= 400 && status < 500 && status !== 429 ? "absent" : "trouble";
}

function miss({ url }: DocumentPlace, reason: string, kind: Miss["kind"]): Miss {
  return { tried: `${describeUrl(new URL(url))}: ${reason}`, kind };
}

/** The strings of a list in a document; `undefined` where there is no list. */
export function readStrings(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((item): item is string => typeof item === "string" && item !== "");
}
