import type { Ask } from "./capabilities.js";
import type { ContentKind } from "./content.js";

/** The two families of revisions: per-request metadata, or an `initialize` handshake. */
export type EraName = "modern" | "legacy";

/** Everything that differs between dated protocol versions, as data. */
export interface Revision {
  /** The date on the wire. */
  readonly id: string;
  readonly era: EraName;
  /** Content kinds that its results may hold. */
  readonly content: ReadonlySet<ContentKind>;
  /** Whether results may carry `structuredContent`. */
  readonly structuredContent: boolean;
  /** Whether structured output, and its schema, must be an object. */
  readonly objectOutputOnly: boolean;
  /** Whether servers may declare that they complete arguments. */
  readonly completionsCapability: boolean;
  /** Whether requests for completion may carry the arguments settled already. */
  readonly completionContext: boolean;
  /** Whether progress notices may carry a `message`. */
  readonly progressMessage: boolean;
  /** Whether several messages may come as one array. */
  readonly batch: boolean;
  /** Whether an event stream begins with an empty event that carries an id. */
  readonly priming: boolean;
  /** Whether requests after the opening carry `MCP-Protocol-Version`. */
  readonly versionHeader: boolean;
  /** The error number for a resource that does not exist. */
  readonly notFound: -32002 | -32602;
  /** Whether client and server may declare extensions. */
  readonly extensions: boolean;
  /** Questions that a server can put to a client. */
  readonly asks: ReadonlySet<Ask>;
  /** Whether clients may say that their folders have changed. */
  readonly rootsChanged: boolean;
  /** Whether elicitations say their mode. */
  readonly elicitMode: boolean;
  /** Whether a visit to a page has an `elicitationId`. */
  readonly elicitationId: boolean;
  /** Whether forms may have titled choices, several choices in one field, and defaults for other fields than booleans. */
  readonly richForms: boolean;
  /** Whether a message for a client's model may have several blocks. */
  readonly richSamples: boolean;
}

/** The newest modern revision. */
export const MODERN_PROTOCOL_VERSION = "2026-07-28";
/** The newest legacy revision: what direct callers pass, and what an unknown request for one is answered with. */
export const LEGACY_PROTOCOL_VERSION = "2025-11-25";
/** What a legacy HTTP request speaks when nothing tells. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header */
export const ASSUMED_PROTOCOL_VERSION = "2025-03-26";

const CONTENT_2024: ReadonlySet<ContentKind> = new Set<ContentKind>(["text", "image", "resource"]);
const CONTENT_2025_03: ReadonlySet<ContentKind> = new Set<ContentKind>([...CONTENT_2024, "audio"]);
const CONTENT_ALL: ReadonlySet<ContentKind> = new Set<ContentKind>([...CONTENT_2025_03, "resource_link"]);

/** What a revision does not share with the one after it. */
type Changes = Pick<Revision, "id"> & Partial<Revision>;

const MODERN: Revision = {
  id: MODERN_PROTOCOL_VERSION,
  era: "modern",
  content: CONTENT_ALL,
  structuredContent: true,
  objectOutputOnly: false,
  completionsCapability: true,
  completionContext: true,
  progressMessage: true,
  batch: false,
  priming: false,
  versionHeader: true,
  notFound: -32602,
  extensions: true,
  asks: new Set<Ask>(["elicit.form", "elicit.url", "sample", "sample.tools", "roots"]),
  rootsChanged: false,
  elicitMode: true,
  elicitationId: false,
  richForms: true,
  richSamples: true,
};

/* Each earlier revision is what the next one is, except for what is named here. */

const LEGACY_2025_11: Changes = {
  id: LEGACY_PROTOCOL_VERSION,
  era: "legacy",
  objectOutputOnly: true,
  priming: true,
  notFound: -32002,
  extensions: false,
  rootsChanged: true,
  elicitationId: true,
};

const LEGACY_2025_06: Changes = {
  id: "2025-06-18",
  priming: false,
  asks: new Set<Ask>(["elicit.form", "sample", "roots"]),
  elicitMode: false,
  elicitationId: false,
  richForms: false,
  richSamples: false,
};

const LEGACY_2025_03: Changes = {
  id: ASSUMED_PROTOCOL_VERSION,
  content: CONTENT_2025_03,
  structuredContent: false,
  completionContext: false,
  batch: true,
  versionHeader: false,
  asks: new Set<Ask>(["sample", "roots"]),
};

const LEGACY_2024: Changes = {
  id: "2024-11-05",
  content: CONTENT_2024,
  completionsCapability: false,
  progressMessage: false,
  batch: false,
};

const EARLIER: readonly Changes[] = [LEGACY_2025_11, LEGACY_2025_06, LEGACY_2025_03, LEGACY_2024];

/** Every revision Mortise speaks, newest first, by its date. */
export const REVISIONS: ReadonlyMap<string, Revision> = /* @__PURE__ */ listRevisions();

function listRevisions(): ReadonlyMap<string, Revision> {
  let row = MODERN;
  const rows = new Map([[row.id, row]]);
  for (const changes of EARLIER) {
    row = { ...row, ...changes };
    rows.set(row.id, row);
  }
  return rows;
}

/** The row of a date that must be known. Throws `TypeError` for a date that is not: a slip in code, never in traffic. */
export function revisionOf(id: string): Revision {
  const row = REVISIONS.get(id);
  if (row === undefined) throw new TypeError(`Expected a known revision, received ${JSON.stringify(id)}`);
  return row;
}
