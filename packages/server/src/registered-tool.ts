import { type Ask, isObject, type JsonObject, MortiseError, type Revision } from "@mortise/core";
import { type ParamHeader, toParamHeaders } from "@mortise/core/schema";
import { type DisplayKind, expectOption, readDisplay, refuseNames } from "./check-options.js";
import { readRequiredAsks } from "./required-asks.js";
import { type CompiledSchema, compileInput, compileOutput } from "./schema/compiled.js";
import type { AnySchema } from "./schema/infer.js";
import type { ToolDefinition, ToolHandler } from "./tool-definition.js";
import { toRevisionTool } from "./tool-listing.js";
import { readVisible, type Visible } from "./visible.js";

type AnyHandler = ToolHandler<AnySchema | undefined, AnySchema | undefined>;

/** A tool with everything built that can be built before it is called. */
export interface RegisteredTool {
  readonly name: string;
  readonly enabled: boolean;
  readonly visible: Visible | undefined;
  readonly definition: ToolDefinition;
  readonly handler: AnyHandler;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly asks: readonly Ask[];
  readonly paramHeaders: readonly ParamHeader[];
  /** Resolve with what is wrong with the schemas, where that takes a closer look. */
  readonly verified: readonly (Promise<MortiseError | undefined> | undefined)[];
  /** The definition as the newest revision lists it. */
  readonly listing: JsonObject;
  /** The JSON text of the definition as a revision lists it. */
  listed(revision: Revision): string;
}

const HINTS: ReadonlyMap<string, DisplayKind> = new Map([
  ["title", "string"],
  ["readOnlyHint", "boolean"],
  ["destructiveHint", "boolean"],
  ["idempotentHint", "boolean"],
  ["openWorldHint", "boolean"],
]);

const NAMES_ELSEWHERE: readonly (readonly [string, string])[] = [
  ["inputSchema", "input"],
  ["outputSchema", "output"],
  ["parameters", "input"],
];

const NO_ARGUMENTS: CompiledSchema = {
  json: Object.freeze({ type: "object", additionalProperties: false }),
  annotations: [],
  check(value) {
    const [extra] = Object.keys(value as object); // arguments are an object wherever a call was parsed
    if (extra === undefined) return { ok: true, value };
    return { ok: false, issues: [{ path: extra, message: "Expected no arguments" }] };
  },
};

/** Builds a tool. Throws a `MortiseError` naming the tool when its definition cannot be served. */
export function createTool(
  name: string,
  definition: ToolDefinition,
  handler: AnyHandler,
  enabled = true,
): RegisteredTool {
  const where = `tool "${name}"`;
  if (typeof name !== "string" || name === "")
    throw new MortiseError("invalid_options", "Expected a tool's name to be a string with at least one character");
  expectOption(isObject(definition), `the definition of ${where}`, "an object", definition);
  expectOption(typeof handler === "function", `the handler of ${where}`, "a function", handler);
  refuseNames(definition, NAMES_ELSEWHERE, `the definition of ${where}`);
  const input = definition.input === undefined ? NO_ARGUMENTS : compileInput(definition.input, where);
  const output = definition.output === undefined ? undefined : compileOutput(definition.output, where);
  const listing = createListing(name, definition, input, output);
  const texts = new Map<Revision, string>();
  return {
    name,
    enabled,
    definition,
    handler,
    input,
    output,
    visible: readVisible(definition.visible, where),
    asks: readRequiredAsks(definition.asks, where),
    paramHeaders: readParamHeaders(input, where),
    verified: [input.verified, output?.verified],
    listing,
    listed(revision) {
      let text = texts.get(revision);
      if (text === undefined) {
        text = JSON.stringify(toRevisionTool(listing, revision));
        texts.set(revision, text);
      }
      return text;
    },
  };
}

function createListing(
  name: string,
  definition: ToolDefinition,
  input: CompiledSchema,
  output: CompiledSchema | undefined,
): JsonObject {
  const owner = ` of tool "${name}"`;
  const { annotations = {} } = definition;
  expectOption(isObject(annotations), `"annotations"${owner}`, "an object", annotations);
  for (const [hint, kind] of HINTS) readDisplay(annotations, hint, kind, ` in the annotations${owner}`);
  return {
    name,
    ...readDisplay(definition, "title", "string", owner),
    ...readDisplay(definition, "description", "string", owner),
    ...readDisplay(definition, "icons", "icons", owner),
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output.json }),
    ...readDisplay(definition, "annotations", "object", owner),
    ...readDisplay(definition, "_meta", "object", owner),
  };
}

function readParamHeaders(input: CompiledSchema, where: string): readonly ParamHeader[] {
  try {
    return toParamHeaders(input.annotations);
  } catch (cause) {
    if (!(cause instanceof MortiseError)) throw cause;
    throw new MortiseError(cause.code, `${cause.message} (in the input schema of ${where})`, { cause });
  }
}
