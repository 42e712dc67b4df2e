import { MortiseError } from "@mortise/core";
import type { GuardedAnswer } from "./guarded-request.js";
import { quoteServer } from "./quote-server.js";
import type { Asked, Members, SentForm } from "./server-answer.js";
import type { TokenRefusal } from "./token-refusal.js";

const FORM = /^\s*[\w.~%-]+=/;

/** The parameters that must not be found in messages, should a server repeat them. */
const SECRETS: readonly string[] = [
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
  "client_assertion",
  "assertion",
  "subject_token",
  "device_code",
  "token",
];

/**
 * Reads an answer of an authorization server that is no plain yes, including what large providers make of RFC 6749 section 5: forms
 * instead of JSON, and errors with status 200. Gives its members if it is a yes; else throws what the server said.
 */
export function readOddAnswer(answer: GuardedAnswer, json: Members | undefined, { what, form }: Asked): Members {
  const { status, text } = answer;
  const isFine = status >= 200 && status < 300;
  const members = json ?? readForm(text);
  const said = readError(members ?? {}, form === undefined ? [] : listSecrets(form));
  if (said === undefined && isFine && members !== undefined) return members;
  const nothing = { error: undefined, description: isFine ? "neither JSON nor a form" : undefined };
  throw createRefusalError(what, { ...(said ?? nothing), status });
}

/** Makes the error of a refusal. Its cause is the refusal, so that callers can tell kinds apart. */
export function createRefusalError(asked: string, refusal: TokenRefusal): MortiseError {
  const { error, description, status } = refusal;
  const explained = description === undefined ? "" : `: ${description}`;
  const message =
    error === undefined
      ? `The authorization server answered ${asked} with HTTP ${status}${explained}`
      : `The authorization server refused ${asked} with "${error}"${explained}`;
  return new MortiseError(error === "access_denied" ? "login_denied" : "login_failed", message, { cause: refusal });
}

/** Makes the error of what a login page answered in place of a code. */
export function createDenial(error: string, description: string | undefined): MortiseError {
  const explained = description === undefined ? "" : `: ${quoteServer(description)}`;
  return new MortiseError(
    error === "access_denied" ? "login_denied" : "login_failed",
    `The login page answered with "${quoteServer(error)}"${explained}`,
  );
}

function readForm(text: string): Members | undefined {
  if (!FORM.test(text)) return undefined;
  const form = Object.fromEntries(new URLSearchParams(text.trim()));
  return "access_token" in form || "error" in form ? form : undefined;
}

/** Some put an object where the code belongs, with the explanation inside. */
function readError(members: Members, secrets: readonly string[]): Omit<TokenRefusal, "status"> | undefined {
  const { error } = members;
  if (error === undefined || error === "" || error === false) return undefined;
  const inner = typeof error === "object" ? (error as Members) : {}; // no member is null
  const code = typeof error === "string" ? error : firstString(inner.code, inner.type, inner.error);
  const words = firstString(members.error_description, inner.message, inner.description);
  return {
    error: code === undefined ? undefined : quoteServer(code, secrets),
    description: words === undefined ? undefined : quoteServer(words, secrets),
  };
}

function firstString(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

function listSecrets({ client: { authentication }, headers, body }: SentForm): string[] {
  const sent = SECRETS.map((name) => body.get(name));
  const header = headers.authorization?.replace(/^\S+ /, "");
  const own = "secret" in authentication ? authentication.secret : undefined;
  return [...sent, header, own].filter((secret) => typeof secret === "string");
}
