import type { IssuerOptions, LoginOptions } from "./login-options.js";

/** Gives what is different with one authorization server, if anything is. Servers name issuers: what every object has is none of theirs. */
export function findIssuerOptions(issuers: LoginOptions["issuers"], issuer: string): IssuerOptions | undefined {
  return issuers !== undefined && Object.hasOwn(issuers, issuer) ? issuers[issuer] : undefined;
}
