import { type JsonObject, MortiseError } from "@mortise/core";
import { type DocumentPlace, findDocument, readStrings } from "./find-document.js";
import type { SendGuarded } from "./guarded-request.js";
import type { ResourceDifference } from "./missed-documents.js";
import type { ProtectedResource } from "./server-metadata.js";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
/** More issuers than this are no choice. */
const MOST_ISSUERS = 32;

/** What is known of a protected server before its metadata is read. */
export interface ResourceSearch {
  /** The configured address of the MCP endpoint. */
  readonly server: URL;
  /** Where the server said that its metadata is. */
  readonly metadataUrl: string | undefined;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}

/**
 * Finds out who gives tokens for a server, and under which name: from the metadata that its challenge named, else at the path of the
 * endpoint, else at the root. Where nothing is published, the server itself does, as under 2025-03-26. Rejects with `login_failed`
 * when the metadata is about another resource or cannot be had, with `address_refused`, and with the reason of the signal.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery
 */
export async function discoverResource({
  server,
  metadataUrl,
  send,
  signal,
}: ResourceSearch): Promise<ProtectedResource> {
  let mismatch: string | undefined;
  const read = async (document: JsonObject, place: DocumentPlace): Promise<ProtectedResource | string> => {
    const { resource } = document;
    if (typeof resource !== "string") return 'no "resource"';
    const difference = findDifference(resource, server);
    if (difference === undefined) return readResource(document, resource, server);
    const { describeResource } = await import("./missed-documents.js");
    const described = describeResource(server, resource, difference);
    mismatch = described.mismatch;
    // What the server itself points to is its word; well-known addresses may belong to a neighbour.
    if (place.url === advertised) throw new MortiseError("login_failed", mismatch);
    return described.miss;
  };
  const advertised =
    metadataUrl !== undefined && URL.canParse(metadataUrl, server.href) ? new URL(metadataUrl, server).href : undefined;
  const places = listPlaces(server, advertised);
  const outcome = await findDocument({ places, read, send, signal });
  if (outcome.found !== undefined) return outcome.found;
  const { settleResource } = await import("./missed-documents.js");
  return settleResource(server, { misses: outcome.misses, mismatch, isAdvertised: advertised !== undefined });
}

function listPlaces({ origin, pathname }: URL, advertised: string | undefined): DocumentPlace[] {
  const path = pathname.replace(/\/$/, "");
  const urls = [`${origin}${WELL_KNOWN}${path}`, `${origin}${WELL_KNOWN}`];
  const places = urls.map((url) => ({ url, named: "the well-known address of the server" }));
  if (advertised !== undefined)
    places.unshift({ url: advertised, named: '"resource_metadata" of the server\'s challenge' });
  return places.filter(({ url }, at) => places.findIndex((place) => place.url === url) === at);
}

/** In what the resource that a document is about differs from the configured address, if it is about another one. */
function findDifference(resource: string, server: URL): ResourceDifference | undefined {
  if (!URL.canParse(resource)) return "form";
  if (resource.includes("#")) return "fragment";
  const { origin, pathname, search } = new URL(resource);
  if (origin !== server.origin) return "origin";
  const [whole, part] = [toSegments(server.pathname), toSegments(pathname)];
  return !whole.startsWith(part) || (search !== "" && search !== server.search) ? "path" : undefined;
}

/** A path as it is compared: it covers those that begin with all of its segments. */
function toSegments(path: string): string {
  return `${path.replace(/\/$/, "").replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())}/`;
}

function readResource(document: JsonObject, resource: string, server: URL): ProtectedResource {
  const issuers = [...new Set(readStrings(document.authorization_servers))].slice(0, MOST_ISSUERS);
  return {
    resource,
    issuers: issuers.length > 0 ? issuers : [server.origin],
    scopesSupported: readStrings(document.scopes_supported),
    dpopRequired: document.dpop_bound_access_tokens_required === true,
    source: "metadata",
  };
}
