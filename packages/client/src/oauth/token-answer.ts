import type { GuardedAnswer } from "./guarded-request.js";
import { quoteServer } from "./quote-server.js";
import type { TokenRefusal } from "./token-refusal.js";

/** An answer of a token endpoint: members for a strict reader, or why there is no token. */
export type TokenAnswer =
  | { readonly members: Readonly<Record<string, unknown>>; readonly refusal?: undefined }
  | { readonly refusal: TokenRefusal };

type Members = Readonly<Record<string, unknown>>;

const FORM = /^\s*[\w.~%-]+=/;
/** The end of time, as dates know it: later ones could not be compared. */
const MOST_SECONDS = 8_000_000_000_000;

/**
 * Reads what token endpoints answer, including what large providers make of RFC 6749 section 5: forms instead of JSON, errors with
 * status 200, `null` for what is not there, numbers as strings. What remains wrong is left for the strict reader to refuse.
 */
export function readTokenAnswer(answer: GuardedAnswer, secrets: readonly string[]): TokenAnswer {
  const members = readMembers(answer);
  const fine = answer.status >= 200 && answer.status < 300;
  const refusal = readError(members ?? {}, answer.status, secrets);
  if (refusal !== undefined) return { refusal };
  if (fine && members !== undefined) return { members: normalize(members) };
  const description = fine ? "neither JSON nor a form" : undefined;
  return { refusal: { error: undefined, description, status: answer.status } };
}

function readMembers(answer: GuardedAnswer): Members | undefined {
  const parsed = parseJson(answer.text);
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Members; // an object, then
  if (parsed !== undefined || !FORM.test(answer.text)) return undefined;
  const form = Object.fromEntries(new URLSearchParams(answer.text.trim()));
  return "access_token" in form || "error" in form ? form : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a form, or a page for people
  }
}

/** Some put an object where the code belongs, with the explanation inside. */
function readError(members: Members, status: number, secrets: readonly string[]): TokenRefusal | undefined {
  const { error } = members;
  if (error === undefined || error === null || error === "" || error === false) return undefined;
  const inner = typeof error === "object" ? (error as Members) : {}; // null was ruled out
  const code = typeof error === "string" ? error : firstString(inner.code, inner.type, inner.error);
  const words = firstString(members.error_description, inner.message, inner.description);
  return {
    error: code === undefined ? undefined : quoteServer(code, secrets),
    description: words === undefined ? undefined : quoteServer(words, secrets),
    status,
  };
}

function firstString(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function normalize(members: Members): Members {
  const { access_token, token_type, refresh_token, scope, id_token, issued_token_type } = members;
  const all = {
    access_token,
    token_type,
    expires_in: readSeconds(members.expires_in),
    refresh_token: refresh_token === "" ? undefined : refresh_token,
    scope: readScope(scope),
    id_token,
    issued_token_type,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

function readScope(scope: unknown): unknown {
  if (Array.isArray(scope)) return scope.filter((one) => typeof one === "string").join(" ");
  return scope === "" ? undefined : scope;
}

/** A number of seconds, however it is written. Negative ones are over. */
function readSeconds(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return undefined;
  const seconds = typeof value === "string" ? Number(value) : value;
  if (typeof seconds !== "number" || Number.isNaN(seconds)) return "not a number";
  return Math.min(Math.max(seconds, 0), MOST_SECONDS);
}
