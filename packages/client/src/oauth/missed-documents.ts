import { MortiseError } from "@mortise/core";
import { isBrowser } from "../browser.js";
import type { ServerSearch } from "./authorization-server.js";
import type { Miss, SearchOutcome } from "./find-document.js";
import { quoteServer } from "./quote-server.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";

/** Where the metadata of an authorization server was looked for in vain. */
export interface MissedServer {
  readonly misses: readonly Miss[];
  /** Whether there was a document of another issuer. */
  readonly isOther: boolean;
  /** Looks once more without a header that browsers ask servers about; `undefined` where none was sent. */
  readonly lookAgain: (() => Promise<SearchOutcome<ServerMetadata>>) | undefined;
}

/** Where the metadata of a protected server was looked for in vain. */
export interface MissedResource {
  readonly misses: readonly Miss[];
  /** What a document said that is about another resource. */
  readonly mismatch: string | undefined;
  /** Whether the server told where its metadata is. */
  readonly isAdvertised: boolean;
}

/** Says why there was no answer. Elsewhere than in a browser a `TypeError` is a network failure like any other, which says nothing of what is there. */
export function describeFailure({ message, cause }: MortiseError): Miss {
  return { tried: message, kind: cause instanceof TypeError && isBrowser() ? "hidden" : "trouble" };
}

/** Says of which issuer a document is, and of which it should be. */
export function describeIssuer(published: unknown, issuer: string): string {
  const other = typeof published === "string" ? `"${quoteServer(published)}"` : "missing";
  return `its "issuer" is ${other}, not "${quoteServer(issuer)}"`;
}

/** In what the resource of a document differs from the configured address. */
export type ResourceDifference = "form" | "fragment" | "origin" | "path";

/** Says why a document is about another resource: in short, for one of several places, and as the reason of a failure. */
export function describeResource(
  server: URL,
  resource: string,
  difference: ResourceDifference,
): { readonly miss: string; readonly mismatch: string } {
  const { origin, pathname } = server;
  const problem = {
    form: "is no complete address",
    fragment: "has a fragment",
    origin: `is not on the origin of the configured address, ${origin}`,
    path: `does not cover the configured address, ${origin}${pathname}`,
  }[difference];
  return {
    miss: `its "resource" ${problem}`,
    mismatch: `Refused the metadata of ${origin}: its "resource" ${quoteServer(resource)} ${problem}`,
  };
}

/** Gives what an authorization server has that publishes nothing, where that may be. Else rejects with `login_failed`. */
export async function settleServer(
  search: ServerSearch,
  { misses, isOther, lookAgain }: MissedServer,
): Promise<ServerMetadata> {
  const { issuer, resource } = search;
  // Browsers ask servers whether they take such a header, and not all of them answer.
  const isHidden = lookAgain !== undefined && misses.every(({ kind }) => kind === "hidden");
  const outcome = isHidden ? await lookAgain() : { misses };
  if (outcome.misses === undefined) return outcome.found;
  if (lookAgain !== undefined && outcome.misses.every(({ kind }) => kind === "absent")) return assumeServer(issuer);
  const problem = isOther ? "Refused the metadata" : "Found no usable metadata";
  const tried = [...(resource.tried ?? []), ...outcome.misses.map((miss) => miss.tried)].join("; ");
  throw new MortiseError("login_failed", `${problem} of the authorization server ${quoteServer(issuer)}: ${tried}`);
}

/** Gives what a protected server is taken for that publishes nothing, where that may be. Else throws `login_failed`. */
export function settleResource(server: URL, { misses, mismatch, isAdvertised }: MissedResource): ProtectedResource {
  if (mismatch !== undefined) throw new MortiseError("login_failed", mismatch);
  const tried = misses.map((miss) => miss.tried);
  // The server may publish metadata which could not be had now, and does when it told where. To go on as if there were none would
  // ask the wrong one for tokens.
  if (misses.some(({ kind }) => kind === "trouble" || (kind === "unusable" && isAdvertised)))
    throw new MortiseError("login_failed", `Could not find out who gives tokens for the server: ${tried.join("; ")}`);
  const { origin } = server;
  return { resource: nameResource(server), issuers: [origin], dpopRequired: false, source: "none", tried };
}

/** The canonical form of an address: without what could be a secret, and without a slash that means nothing. */
function nameResource({ origin, pathname }: URL): string {
  return pathname === "/" ? origin : `${origin}${pathname}`;
}

/**
 * What a server without any metadata has, under 2025-03-26.
 * See https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#fallbacks-for-servers-without-metadata-discovery
 */
function assumeServer(origin: string): ServerMetadata {
  return {
    issuer: origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    registrationEndpoint: `${origin}/register`,
    codeChallengeMethodsSupported: ["S256"], // which that revision requires of every server
    issParameterSupported: false,
    clientIdMetadataDocumentSupported: false,
    source: "assumed",
  };
}
