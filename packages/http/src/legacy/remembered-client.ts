import type { Implementation, JsonObject } from "@mortise/core";

/*
 * What is remembered of a client for as long as its session lasts. A client may say of itself as much as a message holds; little
 * of it is needed again, and sessions must stay small however many there are.
 */

/** What the server may ask of a client; the rest of what it declared is not needed again. */
const ABILITIES = ["elicitation", "sampling", "roots"];
const MOST_MODES = 16;
const LONGEST_NAME = 100;
const LONGEST_INFO = 4096;

/** Which questions a client can be asked: abilities with the names of their modes. */
export function outlineAbilities(
  capabilities: JsonObject,
  isObject: (value: unknown) => value is JsonObject,
): JsonObject {
  const outlined: Record<string, JsonObject> = {};
  for (const name of ABILITIES) {
    const ability = capabilities[name];
    if (isObject(ability)) outlined[name] = outlineModes(ability, isObject);
  }
  return outlined;
}

/** Who a client says it is; shortened where that is long. */
export function boundInfo(info: Implementation): Implementation {
  return JSON.stringify(info).length > LONGEST_INFO ? shortenInfo(info) : info;
}

/** What a client is called, and no more of it than fits everywhere. */
export function shortenInfo({ name, version, title }: Implementation): Implementation {
  return {
    name: name.slice(0, LONGEST_NAME),
    version: version.slice(0, LONGEST_NAME),
    ...(typeof title === "string" ? { title: title.slice(0, LONGEST_NAME) } : {}),
  };
}

function outlineModes(ability: JsonObject, isObject: (value: unknown) => boolean): JsonObject {
  const modes = Object.keys(ability).filter((name) => name.length <= LONGEST_NAME && isObject(ability[name]));
  return Object.fromEntries(modes.slice(0, MOST_MODES).map((name) => [name, {}]));
}
