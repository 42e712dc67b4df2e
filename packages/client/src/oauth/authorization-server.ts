import type { JsonObject } from "@mortise/core";
import { checkAddress, checkLoginUrl } from "./address-rules.js";
import { type DocumentPlace, findDocument, readStrings } from "./find-document.js";
import type { SendGuarded } from "./guarded-request.js";
import { loginFailure } from "./login-failure.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";

/** Which authorization server is looked up, and for whom. */
export interface ServerSearch {
  /** One of the issuers of the resource. */
  readonly issuer: string;
  readonly resource: ProtectedResource;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
  /** Whether the issuer comes from the program itself, so that the resource need not name it. @default false */
  readonly trusted?: boolean | undefined;
}

/** Servers of 2025-03-26 may answer by the revision that a client speaks. */
const LEGACY_HEADERS = { "mcp-protocol-version": "2025-03-26" };

interface MetadataPlace extends DocumentPlace {
  readonly source: "oauth" | "openid";
}

/**
 * Gets the metadata of an authorization server, from the well-known addresses of its issuer in the order of the specification.
 * Where a server publishes nothing at all about tokens, its own `/authorize`, `/token` and `/register` are taken, as under
 * 2025-03-26. Rejects with `login_failed` naming what was tried, with `address_refused` for endpoints that may not be asked, and
 * with the reason of the signal.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery
 */
export async function discoverServer(search: ServerSearch): Promise<ServerMetadata> {
  const { issuer, resource, send, signal, trusted = false } = search;
  const isUnpublished = resource.source === "none" && resource.issuers.includes(issuer);
  if (!trusted && !resource.issuers.includes(issuer)) throw await loginFailure("strangeIssuer");
  let isOther = false;
  const read = async (document: JsonObject, { source }: MetadataPlace): Promise<ServerMetadata | string> => {
    if (isIssuer(document.issuer, issuer, isUnpublished))
      return readMetadata(document, document.issuer, source, search);
    isOther = true;
    const { describeIssuer } = await import("./missed-documents.js");
    return describeIssuer(document.issuer, issuer);
  };
  const lookup = { places: await listPlaces(issuer), read, send, signal };
  const outcome = await findDocument(isUnpublished ? { ...lookup, headers: LEGACY_HEADERS } : lookup);
  if (outcome.found !== undefined) return outcome.found;
  const { settleServer } = await import("./missed-documents.js");
  const lookAgain = isUnpublished ? () => findDocument(lookup) : undefined;
  return await settleServer(search, { misses: outcome.misses, isOther, lookAgain });
}

/** The places for one issuer. A last slash is no part of the path, and there is nothing to insert for a path that is empty. */
async function listPlaces(issuer: string): Promise<MetadataPlace[]> {
  const named = '"authorization_servers" of the server\'s metadata';
  if (!URL.canParse(issuer) || /[?#]/.test(issuer) || new URL(issuer).username !== "")
    throw await loginFailure("oddIssuer", named);
  const { origin, pathname } = new URL(issuer);
  const base = origin === "null" ? issuer : origin; // what has no origin is refused when it is asked
  const path = pathname.replace(/\/$/, "");
  const places: MetadataPlace[] = [
    { url: `${base}/.well-known/oauth-authorization-server${path}`, named, source: "oauth" },
    { url: `${base}/.well-known/openid-configuration${path}`, named, source: "openid" },
  ];
  if (path !== "") places.push({ url: `${base}${path}/.well-known/openid-configuration`, named, source: "openid" });
  return places;
}

/** Identical as a string, since tokens and answers are bound to it. Where nobody named an issuer, the slash is the server's to choose. */
function isIssuer(published: unknown, issuer: string, isUnpublished: boolean): published is string {
  return published === issuer || (isUnpublished && published === `${issuer}/`);
}

async function readMetadata(
  document: JsonObject,
  issuer: string,
  source: MetadataPlace["source"],
  { issuer: asked, resource }: ServerSearch,
): Promise<ServerMetadata | string> {
  const near = [asked, resource.resource].filter((url) => URL.canParse(url)).map((url) => new URL(url));
  const read = async (member: string): Promise<string | undefined> => {
    const value = document[member] ?? undefined;
    if (value === undefined) return undefined;
    const named = `"${member}" of the authorization server's metadata`;
    // Users may be sent anywhere over https: their browser is in a network of its own.
    const shown = member === "authorization_endpoint" ? checkLoginUrl(value, named) : undefined;
    return shown?.protocol === "https:" ? shown.href : (await checkAddress(value, named, { near })).href;
  };
  const list = (member: string): string[] | undefined => readStrings(document[member]);
  const tokenEndpoint = await read("token_endpoint");
  if (tokenEndpoint === undefined) return 'no "token_endpoint"';
  return {
    issuer,
    authorizationEndpoint: await read("authorization_endpoint"),
    tokenEndpoint,
    registrationEndpoint: await read("registration_endpoint"),
    revocationEndpoint: await read("revocation_endpoint"),
    deviceAuthorizationEndpoint: await read("device_authorization_endpoint"),
    scopesSupported: list("scopes_supported"),
    grantTypesSupported: list("grant_types_supported"),
    tokenAuthMethodsSupported: list("token_endpoint_auth_methods_supported"),
    tokenAuthAlgorithmsSupported: list("token_endpoint_auth_signing_alg_values_supported"),
    codeChallengeMethodsSupported: list("code_challenge_methods_supported"),
    dpopAlgorithmsSupported: list("dpop_signing_alg_values_supported"),
    issParameterSupported: document.authorization_response_iss_parameter_supported === true,
    clientIdMetadataDocumentSupported: document.client_id_metadata_document_supported === true,
    source,
  };
}
