import type { GuardedAnswer } from "./guarded-request.js";
import { quoteServer } from "./quote-server.js";
import type { TokenRefusal } from "./token-refusal.js";

/** An answer of an authorization server: its members, without those that are `null`, or why there are none. */
export type ServerAnswer =
  | { readonly members: Members; readonly refusal?: undefined }
  | { readonly members?: undefined; readonly refusal: TokenRefusal };

/** An object as it was sent, or a form. */
export type Members = Readonly<Record<string, unknown>>;

const FORM = /^\s*[\w.~%-]+=/;

/**
 * Reads what authorization servers answer to a request, including what large providers make of RFC 6749 section 5: forms instead of
 * JSON, errors with status 200, `null` for what is not there. Values are left to be judged.
 */
export function readServerAnswer(answer: GuardedAnswer, secrets: readonly string[] = []): ServerAnswer {
  const members = readMembers(answer);
  const fine = answer.status >= 200 && answer.status < 300;
  const refusal = readError(members ?? {}, answer.status, secrets);
  if (refusal !== undefined) return { refusal };
  if (fine && members !== undefined) return { members };
  const description = fine ? "neither JSON nor a form" : undefined;
  return { refusal: { error: undefined, description, status: answer.status } };
}

function readMembers(answer: GuardedAnswer): Members | undefined {
  const parsed = parseJson(answer.text);
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
    const present = Object.entries(parsed).filter(([, value]) => value !== null);
    return Object.fromEntries<unknown>(present);
  }
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
  if (error === undefined || error === "" || error === false) return undefined;
  const inner = typeof error === "object" ? (error as Members) : {}; // no member is null
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
