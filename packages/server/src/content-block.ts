import { isObject, type JsonObject } from "@mortise/core";

/** Members that must be text in a content block, by its type. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result */
const BLOCK_MEMBERS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
  ["resource", []],
]);

/** Tells whether a value is a whole content block of a known type. */
export function isBlock(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const members = BLOCK_MEMBERS.get(value.type);
  if (members?.every((member) => typeof value[member] === "string") !== true) return false;
  return value.type !== "resource" || isResource(value.resource);
}

function isResource(value: unknown): boolean {
  return isObject(value) && typeof value.uri === "string" && typeof (value.text ?? value.blob) === "string";
}
