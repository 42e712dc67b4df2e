import { type JsonObject, MortiseError } from "@mortise/core";

/** A reference as it was found in a schema. */
export interface Reference {
  readonly ref: string;
  /** The address it is relative to. */
  readonly base: string;
}

/** A schema with an address of its own, and what can be referred to in it by name. */
export interface Resource {
  readonly root: unknown;
  readonly anchors: Map<string, JsonObject>;
}

/** Stands for the document's own address, which is never known and never fetched. */
export const ROOT_BASE = "https://schema.invalid/";

/** The address of a schema with an `$id`, without its fragment. */
export function resolveId(id: string, base: string): string {
  return resolve(id, base)?.[0] ?? base;
}

/**
 * What a reference leads to inside the document. Throws `schema_ref` where it leads out of it, or nowhere: nothing is ever
 * fetched.
 */
export function findTarget({ ref, base }: Reference, resources: ReadonlyMap<string, Resource>, where: string): unknown {
  const [address, fragment] = (ref.startsWith("#") ? [base, ref.slice(1)] : resolve(ref, base)) ?? [];
  const resource = resources.get(address ?? "");
  const name = resource === undefined || fragment === undefined ? undefined : decodeFragment(fragment);
  const target = name === "" ? resource?.root : name?.startsWith("/") ? followPointer(resource?.root, name) : undefined;
  const found = target ?? resource?.anchors.get(name ?? "");
  if (found !== undefined) return found;
  throw new MortiseError(
    "schema_ref",
    `Expected every "$ref" of the ${where} to lead to a schema inside it, received ${JSON.stringify(ref)}`,
  );
}

function resolve(reference: string, base: string): [address: string, fragment: string] | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const [address = "", fragment = ""] = new URL(reference, base).href.split("#");
  return [address, fragment];
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined; // its only failure: a percent sign that starts no character
  }
}

function followPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.slice(1).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name]; // an array is read by its index like an object
  }
  return value;
}
