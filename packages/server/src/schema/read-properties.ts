import { isObject, type JsonObject } from "@mortise/core";

/** What a schema says of the members of an object. */
export interface Properties {
  /** The schema of each member that it names. */
  readonly properties: ReadonlyMap<string, JsonObject>;
  readonly required: ReadonlySet<string>;
  /** Whether it speaks of members in other ways, so that others may be right. */
  readonly open: boolean;
}

const NOTHING: Properties = { properties: new Map(), required: new Set(), open: false };
const ANYTHING: Properties = { ...NOTHING, open: true };
/** Keywords about members, beside the ones that are read here. */
const OTHER_WAYS = ["patternProperties", "if", "then", "else", "dependentSchemas", "$dynamicRef"];

/**
 * Collects the members that a schema of an object names, through references and combinations: what one of several
 * alternatives names may be there, and what all of them require is required.
 */
export function readProperties(root: JsonObject): Properties {
  const known = new Map<unknown, Properties>();

  function read(schema: unknown): Properties {
    const kept = known.get(schema);
    if (kept !== undefined) return kept;
    if (!isObject(schema)) return schema === undefined ? ANYTHING : NOTHING;
    known.set(schema, NOTHING); // references can go in circles
    const { $ref, allOf, anyOf, oneOf } = schema;
    const parts = [readOwn(schema, resolve), ...toList(allOf).map(read)];
    if ($ref !== undefined) parts.push(read(followReference(root, $ref)));
    for (const alternatives of [anyOf, oneOf]) parts.push(joinAlternatives(toList(alternatives).map(read)));
    const joined = join(parts);
    known.set(schema, joined);
    return joined;
  }

  /** What a member's own schema says is what it refers to, under what stands beside the reference. */
  function resolve(schema: unknown): JsonObject {
    if (!isObject(schema)) return {};
    const target = schema.$ref === undefined ? undefined : followReference(root, schema.$ref);
    return isObject(target) ? { ...target, ...schema } : schema;
  }

  return read(root);
}

function readOwn(schema: JsonObject, resolve: (schema: unknown) => JsonObject): Properties {
  const { properties, required, additionalProperties = false } = schema;
  const members = isObject(properties) ? Object.entries(properties) : [];
  return {
    properties: new Map(members.map(([name, member]) => [name, resolve(member)])),
    required: new Set(toList(required).filter((name) => typeof name === "string")),
    open: additionalProperties !== false || OTHER_WAYS.some((keyword) => keyword in schema),
  };
}

/** Everything that one of the parts says. The first to name a member describes it. */
function join(parts: readonly Properties[]): Properties {
  const properties = new Map<string, JsonObject>();
  for (const part of parts)
    for (const [name, schema] of part.properties) if (!properties.has(name)) properties.set(name, schema);
  return {
    properties,
    required: new Set(parts.flatMap(({ required }) => [...required])),
    open: parts.some(({ open }) => open),
  };
}

function joinAlternatives(alternatives: readonly Properties[]): Properties {
  const joined = join(alternatives);
  const required = [...joined.required].filter((name) => alternatives.every((each) => each.required.has(name)));
  return { ...joined, required: new Set(required) };
}

/** Follows a reference inside the document by its JSON Pointer; anchors and other documents lead nowhere. */
function followReference(root: JsonObject, reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  if (reference === "#") return root;
  let target: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decodePointer(step);
    if (!isObject(target) || !Object.hasOwn(target, name)) return undefined;
    target = target[name];
  }
  return target;
}

function decodePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
