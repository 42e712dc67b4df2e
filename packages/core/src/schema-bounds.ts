import { MortiseError } from "./errors.js";
import { isObject, type JsonObject } from "./json.js";
import { createPatternChecker } from "./pattern-safety.js";
import { MAP_KEYWORDS, SCHEMA_KEYWORDS } from "./schema-keywords.js";

/** How large a schema may be. */
export interface SchemaLimits {
  /** Levels of schemas within schemas, and of values within values such as `default`. @default 64 */
  readonly maxDepth?: number | undefined;
  /** Schemas within the document, itself included. @default 10_000 */
  readonly maxSubschemas?: number | undefined;
  /** Length of the document as JSON text, counted roughly. @default 1_048_576 */
  readonly maxBytes?: number | undefined;
}

/**
 * Checks that a JSON Schema can be used without harm before anything compiles it. Throws `schema_too_large` (depth,
 * number of subschemas, size), `schema_ref` (a reference that leads out of the document or nowhere; nothing is ever
 * fetched) and `unsafe_pattern` (a pattern that can take exponential time). It does not check that the schema is valid.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function checkSchemaBounds(schema: unknown, limits: SchemaLimits = {}): void {
  const walk = createWalk(limits);
  walk.visit({ value: schema, role: "schema", depth: 1, base: ROOT_BASE });
  // Following a reference can lead to a place that no keyword led to, with references of its own.
  for (const reference of walk.references) {
    const target = findTarget(reference, walk.resources);
    if (isObject(target) && !walk.seen.has(target)) {
      walk.visit({ value: target, role: "schema", depth: reference.depth, base: reference.base });
    }
  }
}

/** What a value is to JSON Schema: a schema (or a list of them), a map whose values are schemas, or just a value. */
type Role = "schema" | "map" | "data";

interface Item {
  readonly value: unknown;
  readonly role: Role;
  readonly depth: number;
  /** The URI that references here are relative to. */
  readonly base: string;
}

interface Reference {
  readonly ref: string;
  readonly base: string;
  readonly depth: number;
}

/** A schema with a URI of its own, and the names that can be referred to in it. */
interface Resource {
  readonly root: unknown;
  readonly anchors: Set<string>;
}

interface Walk {
  readonly references: Reference[];
  readonly resources: ReadonlyMap<string, Resource>;
  readonly seen: ReadonlySet<unknown>;
  visit(item: Item): void;
}

/** Stands for the document's own address, which is never known and never fetched. */
const ROOT_BASE = "https://schema.invalid/";

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...SCHEMA_KEYWORDS.map((keyword) => [keyword, "schema"] as const),
  ...MAP_KEYWORDS.map((keyword) => [keyword, "map"] as const),
]);
const REFERENCE_KEYWORDS = ["$ref", "$dynamicRef", "$recursiveRef"];
const ANCHOR_KEYWORDS = ["$anchor", "$dynamicAnchor"];

function createWalk({ maxDepth = 64, maxSubschemas = 10_000, maxBytes = 1_048_576 }: SchemaLimits): Walk {
  const references: Reference[] = [];
  const resources = new Map<string, Resource>();
  const seen = new Set<unknown>();
  const isSafePattern = createPatternChecker();
  let subschemas = 0;
  let size = 0;

  /** With a list of its own instead of the stack, since depth is what is being checked. */
  function visit(start: Item): void {
    if (resources.size === 0) resources.set(start.base, { root: start.value, anchors: new Set() });
    const open = [start];
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      count(item);
      if (Array.isArray(item.value)) openEntries(item, item.value, open);
      else if (isObject(item.value)) openMembers(item, item.value, open);
    }
  }

  function count({ value, role, depth }: Item): void {
    if (role === "schema" && !Array.isArray(value)) subschemas += 1;
    size += typeof value === "string" ? value.length + 3 : 6;
    if (depth > maxDepth) throw tooLarge(`at most ${maxDepth} levels`);
    if (subschemas > maxSubschemas) throw tooLarge(`at most ${maxSubschemas} subschemas`);
    if (size > maxBytes) throw tooLarge(`at most ${maxBytes} bytes`);
  }

  function openEntries({ role, depth, base }: Item, values: readonly unknown[], open: Item[]): void {
    // Before anything is kept for them, since a list can be very long.
    if (role === "schema" && subschemas + values.length > maxSubschemas)
      throw tooLarge(`at most ${maxSubschemas} subschemas`);
    // The entries of `allOf` stand one level below the schema that has it, as the list itself does.
    // A list within such a list is none of the dialect, and so only a value.
    for (const value of values) {
      const below = Array.isArray(value) ? "data" : role;
      open.push({ value, role: below, depth: below === "data" ? depth + 1 : depth, base });
    }
  }

  function openMembers(item: Item, value: JsonObject, open: Item[]): void {
    const { role, depth } = item;
    if (role === "schema") seen.add(value);
    const base = role === "schema" ? readIdentity(value, item.base) : item.base;
    if (role === "schema") readKeywords(value, base, depth);
    for (const name of Object.keys(value)) {
      size += name.length + 4;
      const below = role === "schema" ? (ROLES.get(name) ?? "data") : role === "map" ? "schema" : "data";
      // A map is not a level of its own.
      open.push({ value: value[name], role: below, depth: role === "map" ? depth : depth + 1, base });
    }
  }

  /** Notes the schema's own address and anchors, and gives what its references are relative to. */
  function readIdentity(schema: JsonObject, outer: string): string {
    const id = schema.$id;
    const base = typeof id === "string" && !id.startsWith("#") ? (resolve(id, outer)?.base ?? outer) : outer;
    const resource = resources.get(base) ?? { root: schema, anchors: new Set<string>() };
    resources.set(base, resource);
    // Draft 7 wrote an anchor as an `$id` that is only a fragment.
    if (typeof id === "string" && id.startsWith("#")) resource.anchors.add(id.slice(1));
    for (const keyword of ANCHOR_KEYWORDS) {
      const anchor = schema[keyword];
      if (typeof anchor === "string") resource.anchors.add(anchor);
    }
    return base;
  }

  function readKeywords(schema: JsonObject, base: string, depth: number): void {
    for (const keyword of REFERENCE_KEYWORDS) {
      const ref = schema[keyword];
      if (typeof ref === "string") references.push({ ref, base, depth });
    }
    if (typeof schema.pattern === "string") checkPattern(schema.pattern);
    if (isObject(schema.patternProperties))
      for (const pattern of Object.keys(schema.patternProperties)) checkPattern(pattern);
  }

  function checkPattern(pattern: string): void {
    if (isSafePattern(pattern)) return;
    throw new MortiseError(
      "unsafe_pattern",
      "Expected every pattern to be unambiguous, received one that can take exponential time",
    );
  }

  return { references, resources, seen, visit };
}

/** What a reference leads to inside the document. Throws `schema_ref` where it leads out of it, or nowhere. */
function findTarget({ ref, base }: Reference, resources: ReadonlyMap<string, Resource>): unknown {
  const address = ref.startsWith("#") ? { base, fragment: ref.slice(1) } : resolve(ref, base);
  const resource = address === undefined ? undefined : resources.get(address.base);
  if (address === undefined || resource === undefined) {
    throw new MortiseError(
      "schema_ref",
      `Expected every "$ref" to stay inside the schema, received ${JSON.stringify(ref)}`,
    );
  }
  const fragment = decodeFragment(address.fragment);
  if (fragment === "") return resource.root;
  const target = fragment?.startsWith("/") ? followPointer(resource.root, fragment) : undefined;
  if (target !== undefined) return target;
  if (fragment !== undefined && resource.anchors.has(fragment)) return undefined; // anchors are found on schemas that were seen
  throw new MortiseError("schema_ref", `Expected every "$ref" to lead to a schema, received ${JSON.stringify(ref)}`);
}

function resolve(reference: string, base: string): { base: string; fragment: string } | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  const fragment = url.hash.slice(1);
  url.hash = "";
  return { base: url.href, fragment };
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

function tooLarge(expected: string): MortiseError {
  return new MortiseError("schema_too_large", `Expected the schema to have ${expected}`);
}
