import {
  type Annotations,
  type BlobResourceContents,
  type Icon,
  isObject,
  type JsonObject,
  MortiseError,
  type TextResourceContents,
} from "@mortise/core";

/** A resource as the server lists it. Members this client does not know are kept. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly annotations?: Annotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** A family of resources, as the server lists it. Members this client does not know are kept. */
export interface ResourceTemplate {
  /** An RFC 6570 template. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly annotations?: Annotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** What a resource holds. Members this client does not know are kept. */
export interface ReadResult {
  readonly contents: readonly (TextResourceContents | BlobResourceContents)[];
  /** What is text of it, joined by newlines. */
  readonly text: string;
  readonly [member: string]: unknown;
}

/** Reads the result of `resources/read`. Throws `invalid_response` for one without `contents`. */
export function readResourceResult(result: JsonObject): ReadResult {
  const { contents } = result;
  if (!Array.isArray(contents))
    throw new MortiseError("invalid_response", 'Expected "contents" in the result of "resources/read" to be an array');
  const texts = contents.flatMap((each: unknown) => (isObject(each) && typeof each.text === "string" ? each.text : []));
  // The members of each are for whoever reads it; servers write them in more ways than one.
  return { ...result, contents: contents as ReadResult["contents"], text: texts.join("\n") };
}
