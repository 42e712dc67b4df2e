import { isObject, type JsonObject } from "@mortise/core";

/**
 * Renames the definitions of a converted schema by the order in which references reach them: `def1`, `def2`, … ArkType numbers
 * them across the whole process, so that a listing would depend on what was registered before. Unreached ones are left out.
 */
export function stabilizeNames(converted: JsonObject): JsonObject {
  const definitions = isObject(converted["$defs"]) ? converted["$defs"] : {};
  const names = new Map<string, string>();
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [member, member === "$ref" ? renameRef(inner) : rename(inner)]),
    );
  };
  const renameRef = (ref: unknown): unknown => {
    const name = typeof ref === "string" && ref.startsWith("#/$defs/") ? ref.slice("#/$defs/".length) : undefined;
    if (name === undefined || !Object.hasOwn(definitions, name)) return rename(ref);
    const stable = names.get(name) ?? `def${names.size + 1}`;
    names.set(name, stable);
    return `#/$defs/${stable}`;
  };

  const { $defs: _definitions, ...root } = converted;
  const renamed = rename(root) as JsonObject; // an object comes back as an object
  const reached: JsonObject = {};
  // The map grows while its own definitions are renamed; iterating over it follows.
  for (const [name, stable] of names) reached[stable] = rename(definitions[name]);
  return names.size > 0 ? { ...renamed, $defs: reached } : renamed;
}
