import { isObject, type JsonObject } from "@mortise/core";
import { findFlaw } from "./annotations.js";
import { isIcons } from "./check-options.js";

/** Members that must be text in a content block, by its type. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result */
const BLOCK_MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
  ["resource", []],
]);

const NOTHING: JsonObject = Object.freeze({});
/** Members that must be text in a link if they are there. */
const OPTIONAL_TEXTS: readonly string[] = ["title", "description", "mimeType"];

/** Tells whether a value is a whole content block of a known type. Strict clients drop the whole result for one that is not. */
export function isBlock(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const { type, annotations, _meta = NOTHING } = value;
  const members = BLOCK_MEMBERS.get(type);
  if (members?.every((member) => typeof value[member] === "string") !== true) return false;
  if (!isObject(_meta) || findFlaw(annotations) !== undefined) return false;
  if (type === "resource_link") return isLink(value);
  return type !== "resource" || isResource(value.resource);
}

function isLink(link: JsonObject): boolean {
  const { size = 0, icons = [] } = link;
  return OPTIONAL_TEXTS.every((member) => isTextIfAny(link[member])) && Number.isInteger(size) && isIcons(icons);
}

function isResource(value: unknown): boolean {
  if (!isObject(value) || typeof value.uri !== "string") return false;
  const { text, blob, mimeType, _meta = NOTHING } = value;
  return typeof (text ?? blob) === "string" && isTextIfAny(mimeType) && isObject(_meta);
}

function isTextIfAny(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}
