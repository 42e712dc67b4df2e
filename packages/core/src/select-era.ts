import { isObject, type JsonObject } from "./json.js";
import type { JsonRpcRequest } from "./json-rpc.js";
import { VERSION_KEY } from "./modern/index.js";
import { Refusal } from "./refusal.js";
import { LEGACY_PROTOCOL_VERSION, REVISIONS, type Revision, revisionOf } from "./revisions.js";

/** What is known at the edge besides the message. */
export interface EraHints {
  /** The `MCP-Protocol-Version` header, where the transport has headers. */
  readonly headerVersion?: string | undefined;
  /** The legacy revision agreed on this pipe or in this session. */
  readonly agreed?: Revision | undefined;
  /** What a request speaks when nothing tells. Left out where nothing may be assumed. */
  readonly assumed?: Revision | undefined;
  /** Whether arrays are taken on every legacy revision, rather than on those that have them. */
  readonly batches?: boolean | undefined;
}

/** Which room a request goes to; legacy ones with the revision they are read and answered by. */
export type Selection =
  | { readonly era: "modern" }
  | { readonly era: "legacy"; readonly revision: Revision }
  | { readonly era: "refused"; readonly refusal: Refusal };

// Bundles of those who never choose leave these out: they are pure.
const MODERN: Selection = /* @__PURE__ */ Object.freeze({ era: "modern" });
const LEGACY: ReadonlyMap<Revision, Selection> = /* @__PURE__ */ listLegacy();
const OPENING: Selection = /* @__PURE__ */ toLegacy(/* @__PURE__ */ revisionOf(LEGACY_PROTOCOL_VERSION));
/** What a legacy client may send before anything was agreed. */
const BEFORE_AGREEMENT: ReadonlySet<string> = new Set(["initialize", "ping"]);

/**
 * Decides which era one request belongs to. Total: never throws, allocates only to refuse. A protocol version in
 * `_meta`, or a modern version header, makes a request modern; the name of its method never does.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export function selectEra(request: JsonRpcRequest, hints: EraHints): Selection {
  if (claimsModern(request)) return MODERN;
  const { headerVersion, agreed, assumed } = hints;
  if (headerVersion !== undefined) {
    const named = REVISIONS.get(headerVersion);
    if (named === undefined) return refuseHeader(headerVersion);
    return named.era === "modern" ? MODERN : toLegacy(agreed ?? named);
  }
  if (agreed !== undefined) return toLegacy(agreed);
  if (assumed !== undefined) return toLegacy(assumed);
  return BEFORE_AGREEMENT.has(request.method) ? OPENING : refuseUnopened();
}

/**
 * Decides about several messages that came as one array: legacy where the revision has batches, else refused.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export function selectBatch(entries: readonly unknown[], hints: EraHints): Selection {
  const { headerVersion, agreed, assumed, batches = false } = hints;
  const named = headerVersion === undefined ? (agreed ?? assumed) : REVISIONS.get(headerVersion);
  if (named === undefined || !(named.batch || (batches && named.era === "legacy")))
    return refuseBatch("Expected one message, received an array");
  if (entries.length === 0) return refuseBatch("Expected at least one message, received an empty array");
  if (entries.some((entry) => isObject(entry) && (claimsModern(entry) || entry.method === "initialize"))) {
    return refuseBatch("Expected messages that may stand in an array, received one that opens a connection");
  }
  return toLegacy(named);
}

function claimsModern(message: { readonly params?: unknown }): boolean {
  const params = message.params as JsonObject | undefined; // an object wherever the message was classified; looked at member by member elsewhere
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) && meta[VERSION_KEY] !== undefined;
}

function listLegacy(): ReadonlyMap<Revision, Selection> {
  return new Map([...REVISIONS.values()].map((revision) => [revision, Object.freeze({ era: "legacy", revision })]));
}

function toLegacy(revision: Revision): Selection {
  return LEGACY.get(revision) ?? { era: "legacy", revision };
}

function refuseHeader(requested: string): Selection {
  const supported = [...REVISIONS.keys()];
  const message = `Expected the MCP-Protocol-Version header to be one of ${supported.join(", ")}`;
  return refused(new Refusal("unsupported_version", message, { supported, requested }));
}

function refuseUnopened(): Selection {
  const message = `Expected "initialize" first, or params._meta["${VERSION_KEY}"] on the request`;
  return refused(new Refusal("invalid_params", message));
}

function refuseBatch(message: string): Selection {
  return refused(new Refusal("invalid_request", message));
}

function refused(refusal: Refusal): Selection {
  return { era: "refused", refusal };
}
