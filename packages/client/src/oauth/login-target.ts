import { discoverServer } from "./authorization-server.js";
import type { SendGuarded } from "./guarded-request.js";
import { loginFailure } from "./login-failure.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";

/** Who is asked for tokens, and for what. */
export interface LoginTarget {
  /** The authorization server as the protected server names it. */
  readonly issuer: string;
  readonly resource: ProtectedResource;
  readonly metadata: ServerMetadata;
}

/** What the choice of who gives tokens starts from. */
export interface TargetSearch {
  readonly server: URL;
  readonly resource: ProtectedResource;
  /** Who gave the tokens so far. */
  readonly previous: string | undefined;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}

/** How one of several authorization servers is chosen. */
export interface IssuerChoice {
  /** The issuers that this client is registered with. */
  readonly known: readonly string[];
  readonly select?: ((issuers: readonly string[], server: URL) => string | Promise<string>) | undefined;
}

/**
 * Chooses who gives tokens for a server, and gets its metadata. Of several, that is who the program selects, else who gave the last
 * ones, else one that this client is registered with, else the first. Rejects as `discoverServer` does.
 */
export async function findTarget(search: TargetSearch, choice: IssuerChoice): Promise<LoginTarget> {
  const { resource, send, signal } = search;
  const issuer = await chooseIssuer(search, choice, resource.issuers);
  return { issuer, resource, metadata: await discoverServer({ issuer, resource, send, signal }) };
}

async function chooseIssuer(
  { server, previous }: TargetSearch,
  { known, select }: IssuerChoice,
  issuers: readonly string[],
): Promise<string> {
  const [first] = issuers;
  if (first === undefined) throw await loginFailure("noIssuer");
  if (select !== undefined) {
    const selected = await select(issuers, server);
    if (issuers.includes(selected)) return selected;
    throw await loginFailure("oddSelection");
  }
  if (previous !== undefined && issuers.includes(previous)) return previous;
  return issuers.find((issuer) => known.includes(issuer)) ?? first;
}
