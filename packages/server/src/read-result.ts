import { describeType, isObject, type JsonObject } from "@mortise/core";
import { encodeBase64 } from "./encode-base64.js";

/** What contents have that say nothing of it themselves. */
export interface ContentsDefaults {
  readonly uri: string;
  readonly mimeType: string | undefined;
}

/**
 * Makes a whole result of what a resource's handler returned; `undefined` where it says that there is no such resource.
 * Throws `TypeError` for what is neither text nor bytes nor contents.
 */
export function toReadResult(returned: unknown, defaults: ContentsDefaults): JsonObject | undefined {
  if (returned === undefined || returned === null) return undefined;
  if (isObject(returned) && Array.isArray(returned.contents)) {
    const { contents, _meta } = returned;
    if (_meta !== undefined && !isObject(_meta)) throw unfit('"_meta" as', _meta);
    return toResult(contents, defaults, _meta === undefined ? {} : { _meta });
  }
  return toResult(Array.isArray(returned) ? returned : [returned], defaults, {});
}

/** An empty list could mean anything, so that it must not stand for a missing resource. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling */
function toResult(contents: readonly unknown[], defaults: ContentsDefaults, rest: JsonObject): JsonObject | undefined {
  return contents.length === 0 ? undefined : { ...rest, contents: contents.map((each) => toContents(each, defaults)) };
}

function toContents(value: unknown, defaults: ContentsDefaults): JsonObject {
  const head = toHead(defaults.uri, defaults.mimeType);
  if (typeof value === "string") return { ...head, text: value };
  const bytes = toBytes(value);
  if (bytes !== undefined) return { ...head, blob: encodeBase64(bytes) };
  if (!isObject(value)) throw unfit("", value);
  const { uri = defaults.uri, mimeType = defaults.mimeType, text, blob, _meta } = value;
  if (typeof uri !== "string") throw unfit('"uri" as', uri);
  if (mimeType !== undefined && typeof mimeType !== "string") throw unfit('"mimeType" as', mimeType);
  if (_meta !== undefined && !isObject(_meta)) throw unfit('"_meta" as', _meta);
  return { ...toHead(uri, mimeType), ...toBody(text, blob), ...(_meta === undefined ? {} : { _meta }) };
}

function toHead(uri: string, mimeType: string | undefined): JsonObject {
  return mimeType === undefined ? { uri } : { uri, mimeType };
}

function toBody(text: unknown, blob: unknown): JsonObject {
  if (typeof text === "string") return { text };
  if (text !== undefined) throw unfit('"text" as', text);
  if (typeof blob === "string") return { blob };
  const bytes = toBytes(blob);
  if (bytes === undefined) throw unfit('"blob" as', blob);
  return { blob: encodeBase64(bytes) };
}

function toBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}

function unfit(member: string, value: unknown): TypeError {
  const received = `${member} ${describeType(value)}`.trim();
  return new TypeError(
    `Expected a resource to return text, bytes, or contents with "text" or "blob", received ${received}`,
  );
}
