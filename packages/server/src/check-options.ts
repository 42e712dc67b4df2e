import { describeType, isObject, type JsonObject, MortiseError } from "@mortise/core";

/** Refuses an option that is not what was expected. Throws `invalid_options`. */
export function expectOption(holds: boolean, what: string, expected: string, received: unknown): void {
  if (!holds)
    throw new MortiseError("invalid_options", `Expected ${what} to be ${expected}, received ${describeType(received)}`);
}

/**
 * Refuses members that go by another name here, given as `[theirs, ours]`, unless ours is there too: overlooked, they would
 * do nothing, and a tool would be served without its schema. Throws `invalid_options`.
 */
export function refuseNames(source: object, names: readonly (readonly [string, string])[], where: string): void {
  for (const [theirs, ours] of names) {
    if (Reflect.get(source, theirs) !== undefined && Reflect.get(source, ours) === undefined)
      throw new MortiseError("invalid_options", `Expected "${ours}" in ${where}, received "${theirs}" in its place`);
  }
}

/** What stands for a thing in lists, by member: text, a flag, an object, or a list of icons. */
export type DisplayKind = "string" | "boolean" | "object" | "icons";

const EXPECTED: Readonly<Record<DisplayKind, string>> = {
  string: "a string",
  boolean: "true or false",
  object: "an object",
  icons: 'an array of objects with a "src", and perhaps "mimeType", "sizes" and "theme"',
};

/**
 * One member of what is listed, as a copy that later changes do not reach; nothing where there is none. Other programs read
 * it strictly: one member of the wrong type can cost them the whole list. Throws `invalid_options`.
 */
export function readDisplay(source: object, member: string, kind: DisplayKind, owner = ""): JsonObject {
  const value: unknown = Reflect.get(source, member);
  if (value === undefined) return {};
  const what = `"${member}"${owner}`;
  const read = typeof value === "object" ? copy(value, what) : value;
  expectOption(isOfKind(value, kind) && isOfKind(read, kind), what, EXPECTED[kind], value);
  return { [member]: read };
}

function isOfKind(value: unknown, kind: DisplayKind): boolean {
  if (kind === "object") return isObject(value);
  if (kind !== "icons") return typeof value === kind;
  return isIcons(value);
}

/** Tells whether a value is a list of whole icons. */
export function isIcons(value: unknown): boolean {
  return Array.isArray(value) && value.every(isIcon);
}

function isIcon(icon: unknown): boolean {
  if (!isObject(icon) || !isText(icon.src)) return false;
  const { mimeType = "", sizes = [], theme = "light" } = icon;
  return isText(mimeType) && Array.isArray(sizes) && sizes.every(isText) && (theme === "light" || theme === "dark");
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function copy(value: unknown, what: string): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (cause) {
    throw new MortiseError("invalid_options", `Expected ${what} to hold JSON values only`, { cause });
  }
}
