import { isObject, type JsonObject } from "./json.js";

/** The kinds of content block, by their `type`. */
export type ContentKind = "text" | "image" | "audio" | "resource" | "resource_link";

/** Whom content is for and how much it matters. */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[] | undefined;
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number | undefined;
  /** ISO 8601. */
  readonly lastModified?: string | undefined;
}

/** A picture that stands for something in a list. */
export interface Icon {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** Sizes such as `"48x48"`, or `"any"`. */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: "light" | "dark" | undefined;
}

/** Text for or from a model. */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** An image. */
export interface ImageContent {
  readonly type: "image";
  /** The bytes, in base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** Sound; known since 2025-03-26. */
export interface AudioContent {
  readonly type: "audio";
  /** The bytes, in base64. */
  readonly data: string;
  readonly mimeType: string;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** A pointer to a resource that can be read later; known since 2025-06-18. */
export interface ResourceLink {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** What a resource holds, as text. */
export interface TextResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  readonly text: string;
  readonly _meta?: JsonObject | undefined;
}

/** What a resource holds, as bytes. */
export interface BlobResourceContents {
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** The bytes, in base64. */
  readonly blob: string;
  readonly _meta?: JsonObject | undefined;
}

/** A resource together with what it holds. */
export interface EmbeddedResource {
  readonly type: "resource";
  readonly resource: TextResourceContents | BlobResourceContents;
  readonly annotations?: Annotations | undefined;
  readonly _meta?: JsonObject | undefined;
}

/** Any block of a tool result or prompt message. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** Where embedded sound says it comes from: it has no address, but a resource must have one. */
const AUDIO_URI = "urn:mortise:audio";

/** How a kind that a peer does not know becomes one that every peer knows. */
const REPLACEMENTS: ReadonlyMap<unknown, (block: JsonObject) => unknown> = new Map([
  ["audio", embedAudio],
  ["resource_link", describeLink],
]);

/**
 * Turns blocks of kinds that a peer does not know into ones that it does: audio into an embedded resource, a resource
 * link into a text with its URI. Gives back the same array when nothing has to change; blocks of a kind that nobody
 * knows are left alone.
 */
export function projectContent(blocks: readonly unknown[], known: ReadonlySet<ContentKind>): readonly unknown[] {
  let projected: unknown[] | undefined;
  for (const [index, block] of blocks.entries()) {
    const replacement = project(block, known);
    if (replacement === block) continue;
    projected ??= [...blocks];
    projected[index] = replacement;
  }
  return projected ?? blocks;
}

function project(block: unknown, known: ReadonlySet<ContentKind>): unknown {
  if (!isObject(block)) return block;
  const replace = REPLACEMENTS.get(block.type);
  // Only the two kinds of the table come this far, and both are content kinds.
  return replace === undefined || known.has(block.type as ContentKind) ? block : replace(block);
}

function embedAudio({ data, mimeType, annotations }: JsonObject): unknown {
  const resource = { uri: AUDIO_URI, mimeType, blob: data };
  return { type: "resource", resource, ...oldAnnotations(annotations) };
}

function describeLink({ uri, title, name, annotations }: JsonObject): unknown {
  const label = title ?? name;
  const text = typeof label === "string" && label !== "" && label !== uri ? `${label}: ${uri}` : String(uri);
  return { type: "text", text, ...oldAnnotations(annotations) };
}

/** Revisions that lack a kind also lack `_meta` on blocks and `lastModified` in annotations. */
function oldAnnotations(annotations: unknown): { annotations?: JsonObject } {
  if (!isObject(annotations)) return {};
  const { lastModified: _, ...known } = annotations;
  return Object.keys(known).length === 0 ? {} : { annotations: known };
}
