import { isObject, type JsonObject } from "@mortise/core";
import { listSubschemas } from "./keywords.js";

/** Finds what a reference inside one document points to: `#`, a pointer or an anchor. `undefined` for any other reference. */
export function resolveRef(root: JsonObject, ref: string): unknown {
  if (ref === "#") return root;
  if (ref.startsWith("#/")) return followPointer(root, ref.slice(2));
  return ref.startsWith("#") ? findAnchor(root, ref.slice(1)) : undefined;
}

function followPointer(root: JsonObject, pointer: string): unknown {
  let target: unknown = root;
  for (const part of pointer.split("/")) {
    const member = decodeFragment(part).replaceAll("~1", "/").replaceAll("~0", "~");
    target =
      typeof target === "object" && target !== null && Object.hasOwn(target, member)
        ? Reflect.get(target, member)
        : undefined;
  }
  return target;
}

function findAnchor(schema: JsonObject, name: string): JsonObject | undefined {
  if (schema["$anchor"] === name || schema["$dynamicAnchor"] === name || schema["$id"] === `#${name}`) return schema;
  for (const { schema: inner } of listSubschemas(schema)) {
    const found = isObject(inner) ? findAnchor(inner, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A percent sign that starts no escape is taken as it stands. */
function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
