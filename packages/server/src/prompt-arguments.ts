import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { expectOption, readDisplay } from "./check-options.js";
import { type Checked, type CompiledSchema, compileInput } from "./schema/compiled.js";
import { readProperties } from "./schema/read-properties.js";
import { isStandardSchema } from "./schema/standard.js";

/** The arguments of one prompt, made ready at registration. */
export interface ReadyArguments {
  /** What is listed of each. */
  readonly listing: readonly JsonObject[];
  /** Checks what a caller sent: strings, by name. */
  readonly check: (args: JsonObject) => Checked | Promise<Checked>;
  /** See `CompiledSchema`. */
  readonly verified: CompiledSchema["verified"];
}

/** Reads what describes a prompt's arguments: a list, a schema, or nothing. Throws `invalid_options` or one of the `schema_…` codes. */
export function readArguments(input: unknown, where: string): ReadyArguments {
  return input === undefined || Array.isArray(input) ? readList(input ?? [], where) : readSchemaInput(input, where);
}

function readList(entries: readonly unknown[], where: string): ReadyArguments {
  const listing = entries.map((entry) => readEntry(entry, where));
  const names = new Set(listing.map(({ name }) => name));
  if (names.size < listing.length)
    throw new MortiseError("duplicate_name", `Expected the arguments of ${where} to have a name of their own each`);
  const required = listing.filter((each) => each.required === true).map(({ name }) => String(name));
  return {
    listing,
    verified: undefined,
    check(args) {
      const missing = required.find((name) => !Object.hasOwn(args, name));
      if (missing !== undefined) return refuse(missing, "is required");
      return refuseUnknown(args, names) ?? { ok: true, value: args };
    },
  };
}

function readEntry(entry: unknown, where: string): JsonObject {
  expectOption(isObject(entry), `an argument of ${where}`, "an object", entry);
  const source = entry as JsonObject; // checked just now
  const { name } = source;
  expectOption(
    typeof name === "string" && name !== "",
    `the name of an argument of ${where}`,
    "a string with at least one character",
    name,
  );
  const owner = ` of argument "${name}" of ${where}`;
  return {
    name,
    ...readDisplay(source, "title", "string", owner),
    ...readDisplay(source, "description", "string", owner),
    ...readDisplay(source, "required", "boolean", owner),
  };
}

function readSchemaInput(input: unknown, where: string): ReadyArguments {
  const compiled = compileInput(input, where);
  const { properties, required, open } = readProperties(compiled.json);
  if (!isStandardSchema(input)) for (const [name, schema] of properties) requireString(name, schema, where);
  const names = new Set<unknown>(properties.keys());
  return {
    listing: [...properties].map(([name, schema]) => describe(name, schema, required)),
    verified: compiled.verified,
    check: (args) => (open ? undefined : refuseUnknown(args, names)) ?? compiled.check(args),
  };
}

/** Plain JSON Schema converts nothing, so that such an argument could never be right. */
function requireString(name: string, { type = "string" }: JsonObject, where: string): void {
  if ([type].flat().includes("string")) return;
  throw new MortiseError(
    "schema_invalid",
    `Expected argument "${name}" of ${where} to accept strings, because that is what arguments are on the wire`,
  );
}

function describe(name: string, { title, description }: JsonObject, required: ReadonlySet<string>): JsonObject {
  return {
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(required.has(name) ? { required: true } : {}),
  };
}

function refuseUnknown(args: JsonObject, names: ReadonlySet<unknown>): Checked | undefined {
  const unknown = Object.keys(args).find((name) => !names.has(name));
  return unknown === undefined ? undefined : refuse(unknown, "is not an argument of this prompt");
}

function refuse(name: string, message: string): Checked {
  return { ok: false, issues: [{ path: name.slice(0, 128), message }] };
}
