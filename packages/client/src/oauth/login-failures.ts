import { type ErrorCode, MortiseError } from "@mortise/core";

/** Why a login cannot go on. */
export type LoginFailure =
  | "plainServer"
  | "forbiddenDpop"
  | "boundToken"
  | "unboundToken"
  | "missingPkce"
  | "otherPkce"
  | "noLoginPage"
  | "usedAnswer"
  | "noIssuer"
  | "strangeIssuer"
  | "oddIssuer"
  | "oddSelection";

/** The code of each error, and what is said of its subject. */
const LOGIN_FAILURES: Readonly<Record<LoginFailure, readonly [ErrorCode, (subject: string) => string]>> = {
  plainServer: [
    "address_refused",
    (origin) =>
      `Refused to log in to ${origin}: tokens for a server have to go to it over https, or over http on this machine`,
  ],
  forbiddenDpop: ["login_required", () => 'The server demands tokens bound to a key (DPoP), which "dpop" forbids'],
  boundToken: ["login_failed", () => "The authorization server gave a token that is bound to a key nobody has"],
  unboundToken: ["login_failed", () => "The authorization server gave a token that is not bound to the key"],
  missingPkce: [
    "login_failed",
    (issuer) =>
      `Refused to log in: the authorization server ${issuer} does not say that it supports PKCE; if it does all the same, allow it: issuers: { "${issuer}": { allowMissingPkce: true } }`,
  ],
  otherPkce: [
    "login_failed",
    (issuer) => `Refused to log in: the authorization server ${issuer} does not support PKCE with "S256"`,
  ],
  noLoginPage: ["login_failed", (issuer) => `The authorization server ${issuer} has no "authorization_endpoint"`],
  usedAnswer: ["login_failed", () => "The answer of the login page was used already"],
  noIssuer: ["login_failed", () => "The server names nobody who gives tokens for it"],
  strangeIssuer: ["login_failed", () => "Expected an issuer that the server names"],
  oddIssuer: [
    "address_refused",
    (named) => `Refused an issuer in ${named}: expected a complete address without user, query and fragment`,
  ],
  oddSelection: ["login_failed", () => 'Expected "selectIssuer" to give one of the issuers that it was shown'],
};

/** Makes the error of a failure. */
export function createLoginFailure(reason: LoginFailure, subject: string): MortiseError {
  const [code, describe] = LOGIN_FAILURES[reason];
  return new MortiseError(code, describe(subject));
}
