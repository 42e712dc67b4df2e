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
  /** Members that its tool definitions may have. */
  readonly toolMembers: ReadonlySet<string>;
  /** Members that its prompt definitions may have. */
  readonly promptMembers: ReadonlySet<string>;
  /** Members that the arguments of its prompt definitions may have. */
  readonly promptArgumentMembers: ReadonlySet<string>;
  /** Members that its definitions of resources and templates may have. */
  readonly resourceMembers: ReadonlySet<string>;
  /** Members that the annotations in those may have. */
  readonly annotationMembers: ReadonlySet<string>;
  /** Members that what a resource holds may have. */
  readonly contentsMembers: ReadonlySet<string>;
  /** Members that its client and server descriptions may have. */
  readonly implementationMembers: ReadonlySet<string>;
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

const TOOL_2024 = ["name", "description", "inputSchema"];
const TOOL_2025_03 = [...TOOL_2024, "annotations"];
const TOOL_2025_06 = [...TOOL_2025_03, "title", "outputSchema", "_meta"];
const TOOL_2025_11 = [...TOOL_2025_06, "icons"];

const PROMPT_2024 = ["name", "description", "arguments"];
const PROMPT_2025_06 = [...PROMPT_2024, "title", "_meta"];
const PROMPT_2025_11 = [...PROMPT_2025_06, "icons"];
const PROMPT_ARGUMENT_2024 = ["name", "description", "required"];
const PROMPT_ARGUMENT_2025_06 = [...PROMPT_ARGUMENT_2024, "title"];

const RESOURCE_2024 = ["uri", "uriTemplate", "name", "description", "mimeType", "size", "annotations"];
const RESOURCE_2025_06 = [...RESOURCE_2024, "title", "_meta"];
const RESOURCE_2025_11 = [...RESOURCE_2025_06, "icons"];

const ANNOTATION_2024 = ["audience", "priority"];
const ANNOTATION_2025_06 = [...ANNOTATION_2024, "lastModified"];

const CONTENTS_2024 = ["uri", "mimeType", "text", "blob"];
const CONTENTS_2025_06 = [...CONTENTS_2024, "_meta"];

const IMPLEMENTATION_2024 = ["name", "version"];
const IMPLEMENTATION_2025_06 = [...IMPLEMENTATION_2024, "title"];
const IMPLEMENTATION_2025_11 = [...IMPLEMENTATION_2025_06, "icons", "description", "websiteUrl"];

const MODERN: Revision = {
  id: MODERN_PROTOCOL_VERSION,
  era: "modern",
  content: CONTENT_ALL,
  toolMembers: new Set(TOOL_2025_11),
  promptMembers: new Set(PROMPT_2025_11),
  promptArgumentMembers: new Set(PROMPT_ARGUMENT_2025_06),
  resourceMembers: new Set(RESOURCE_2025_11),
  annotationMembers: new Set(ANNOTATION_2025_06),
  contentsMembers: new Set(CONTENTS_2025_06),
  implementationMembers: new Set(IMPLEMENTATION_2025_11),
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

/* Each earlier revision is what the next one is, except for what is named. */

const LEGACY_2025_11: Revision = {
  ...MODERN,
  id: LEGACY_PROTOCOL_VERSION,
  era: "legacy",
  objectOutputOnly: true,
  priming: true,
  notFound: -32002,
  extensions: false,
  rootsChanged: true,
  elicitationId: true,
};

const LEGACY_2025_06: Revision = {
  ...LEGACY_2025_11,
  id: "2025-06-18",
  toolMembers: new Set(TOOL_2025_06),
  promptMembers: new Set(PROMPT_2025_06),
  resourceMembers: new Set(RESOURCE_2025_06),
  implementationMembers: new Set(IMPLEMENTATION_2025_06),
  priming: false,
  asks: new Set<Ask>(["elicit.form", "sample", "roots"]),
  elicitMode: false,
  elicitationId: false,
  richForms: false,
  richSamples: false,
};

const LEGACY_2025_03: Revision = {
  ...LEGACY_2025_06,
  id: ASSUMED_PROTOCOL_VERSION,
  content: CONTENT_2025_03,
  toolMembers: new Set(TOOL_2025_03),
  promptMembers: new Set(PROMPT_2024),
  promptArgumentMembers: new Set(PROMPT_ARGUMENT_2024),
  resourceMembers: new Set(RESOURCE_2024),
  annotationMembers: new Set(ANNOTATION_2024),
  contentsMembers: new Set(CONTENTS_2024),
  implementationMembers: new Set(IMPLEMENTATION_2024),
  structuredContent: false,
  completionContext: false,
  batch: true,
  versionHeader: false,
  asks: new Set<Ask>(["sample", "roots"]),
};

const LEGACY_2024: Revision = {
  ...LEGACY_2025_03,
  id: "2024-11-05",
  content: CONTENT_2024,
  toolMembers: new Set(TOOL_2024),
  completionsCapability: false,
  progressMessage: false,
  batch: false,
};

const ROWS: readonly Revision[] = [MODERN, LEGACY_2025_11, LEGACY_2025_06, LEGACY_2025_03, LEGACY_2024];

/** Every revision Mortise speaks, newest first, by its date. */
export const REVISIONS: ReadonlyMap<string, Revision> = new Map(ROWS.map((row) => [row.id, row]));

/** The row of a date that must be known. Throws `TypeError` for a date that is not: a slip in code, never in traffic. */
export function revisionOf(id: string): Revision {
  const row = REVISIONS.get(id);
  if (row === undefined) throw new TypeError(`Expected a known revision, received ${JSON.stringify(id)}`);
  return row;
}
