import {
  type Ask,
  collectParamHeaders,
  type JsonObject,
  MortiseError,
  type ParamHeader,
  type Revision,
} from "@mortise/core";
import { type CompiledSchema, compileInput, compileOutput } from "./schema/compiled.js";
import type { AnySchema } from "./schema/infer.js";
import type { ToolDefinition, ToolHandler } from "./tool-definition.js";
import { toRevisionTool } from "./tool-listing.js";

type AnyHandler = ToolHandler<AnySchema | undefined, AnySchema | undefined>;

/** A tool with everything built that can be built before it is called. */
export interface RegisteredTool {
  readonly name: string;
  readonly enabled: boolean;
  readonly definition: ToolDefinition;
  readonly handler: AnyHandler;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly asks: readonly Ask[];
  readonly paramHeaders: readonly ParamHeader[];
  /** The definition as the newest revision lists it. */
  readonly listing: JsonObject;
  /** The JSON text of the definition as a revision lists it. */
  listed(revision: Revision): string;
}

const NO_ARGUMENTS: CompiledSchema = {
  json: Object.freeze({ type: "object", additionalProperties: false }),
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
  if (typeof handler !== "function")
    throw new MortiseError("invalid_options", `Expected the handler of ${where} to be a function`);
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
    asks: definition.asks ?? [],
    paramHeaders: readParamHeaders(input, where),
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

/** The same tool, served or hidden. */
export function withEnabled(tool: RegisteredTool, enabled: boolean): RegisteredTool {
  return { ...tool, enabled };
}

function createListing(
  name: string,
  definition: ToolDefinition,
  input: CompiledSchema,
  output: CompiledSchema | undefined,
): JsonObject {
  const { title, description, annotations, icons, _meta } = definition;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output.json }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function readParamHeaders(input: CompiledSchema, where: string): readonly ParamHeader[] {
  try {
    return collectParamHeaders(input.json);
  } catch (cause) {
    if (!(cause instanceof MortiseError)) throw cause;
    throw new MortiseError(cause.code, `${cause.message} (in the input schema of ${where})`, { cause });
  }
}
