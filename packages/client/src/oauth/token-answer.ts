import { MortiseError } from "@mortise/core";
import type { Members } from "./server-answer.js";
import type { TokenSet } from "./token-set.js";

/** What a token endpoint gave, checked. */
export interface GrantedToken {
  readonly tokens: Omit<TokenSet, "tokenType">;
  /** The type of the token, in lower case. */
  readonly type: string;
  readonly issuedTokenType: unknown;
}

/** The end of time, as dates know it: later ones could not be compared. */
const MOST_SECONDS = 8_000_000_000_000;
const SENDABLE = /^[!-~]+$/;

/**
 * Reads a token answer, in all the ways that servers write one. `types` are the types of tokens that are of use, in lower case. Throws
 * `login_failed` naming the member that is wrong, and never what is in it.
 * See https://www.rfc-editor.org/rfc/rfc6749.html#section-5.1
 */
export function readGrant(members: Members, types: readonly string[], askedAt: number): GrantedToken {
  const accessToken = readText(members, "access_token");
  if (accessToken === undefined || !SENDABLE.test(accessToken))
    throw noToken("access_token", "text that a header can carry");
  const type = readText(members, "token_type")?.toLowerCase() ?? "";
  if (!types.includes(type)) throw noToken("token_type", `one of ${types.join(", ")}`);
  const seconds = readSeconds(members.expires_in);
  const { scope, id_token: idToken, issued_token_type: issuedTokenType } = members;
  const tokens = {
    accessToken,
    expiresAt: seconds === undefined ? undefined : askedAt + seconds * 1000,
    refreshToken: readText(members, "refresh_token"),
    scope: Array.isArray(scope) ? scope.filter((one) => typeof one === "string").join(" ") : readText(members, "scope"),
    // Unchecked: it is only ever handed on to whoever checks it.
    idToken: typeof idToken === "string" ? idToken : undefined,
  };
  return { tokens, type, issuedTokenType };
}

/** What is empty counts as missing. */
function readText(members: Members, name: string): string | undefined {
  const value = members[name] ?? "";
  if (typeof value !== "string") throw noToken(name, "a string");
  return value === "" ? undefined : value;
}

/** A number of seconds, however it is written. Negative ones are over. */
function readSeconds(value: unknown = ""): number | undefined {
  if (value === "") return undefined;
  const seconds = typeof value === "string" ? Number(value) : value;
  if (typeof seconds !== "number" || Number.isNaN(seconds)) throw noToken("expires_in", "a number");
  return Math.min(Math.max(seconds, 0), MOST_SECONDS);
}

function noToken(name: string, expected: string): MortiseError {
  return new MortiseError(
    "login_failed",
    `The authorization server's answer is no token: expected "${name}" to be ${expected}`,
  );
}
