import {
  collectParamHeaders,
  encodeHeaderValue,
  type Icon,
  isObject,
  type JsonObject,
  MortiseError,
  type ParamHeader,
  readParam,
} from "@mortise/core";
import { walkPages } from "./pages.js";
import type { HeaderList } from "./platform/platform.js";

/** A tool as the server lists it. Members this client does not know are kept. */
export interface Tool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments; its root is an object. */
  readonly inputSchema: JsonObject;
  /** JSON Schema of the structured content. */
  readonly outputSchema?: JsonObject | undefined;
  /** Hints about what the tool does. Only as trustworthy as the server. */
  readonly annotations?: JsonObject | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
  readonly [member: string]: unknown;
}

/** A tool in the shape that chat completion APIs take. */
export interface ChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}

/** The tools of one server, and what calling them needs. */
export interface ToolList {
  readonly tools: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  /** The parameters each tool mirrors into headers; only tools that mirror any. */
  readonly params: ReadonlyMap<string, readonly ParamHeader[]>;
}

/** No tools. */
export const NO_TOOLS: ToolList = { tools: [], byName: new Map(), params: new Map() };

/** How a list of tools is read. */
export interface ToolListOptions {
  /** Leave out tools whose `x-mcp-header` annotations are broken, as clients on HTTP must. */
  readonly mirrorsParams: boolean;
  fetchPage(cursor: string | undefined): Promise<JsonObject>;
  onProblem(problem: Error): void;
}

/**
 * Reads every page of tools. One unusable tool is reported and left out; the others stay.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 */
export async function fetchToolList(options: ToolListOptions): Promise<ToolList> {
  const byName = new Map<string, Tool>();
  const params = new Map<string, readonly ParamHeader[]>();
  for await (const { tools } of walkPages({ ...options, method: "tools/list" })) {
    if (!Array.isArray(tools))
      throw new MortiseError("invalid_response", 'Expected "tools" in the result of "tools/list" to be an array');
    for (const entry of tools) addTool(entry, { byName, params }, options);
  }
  return { tools: [...byName.values()], byName, params };
}

/** The headers that mirror the arguments of one call. */
export function mirrorArguments(params: readonly ParamHeader[] | undefined, args: JsonObject): HeaderList {
  if (params === undefined) return [];
  return params.flatMap(({ name, path }) => {
    const value = readParam(args, path);
    return value === undefined ? [] : [`Mcp-Param-${name}`, encodeHeaderValue(value)];
  });
}

/** The shape that chat completion APIs take. */
export function toChatTool(tool: Tool): ChatTool {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description ?? tool.title ?? "", parameters: tool.inputSchema },
  };
}

function addTool(
  entry: unknown,
  into: { byName: Map<string, Tool>; params: Map<string, readonly ParamHeader[]> },
  options: ToolListOptions,
): void {
  try {
    const tool = readTool(entry, options.onProblem);
    if (into.byName.has(tool.name))
      throw new MortiseError("duplicate_name", `Left out a second tool named ${JSON.stringify(tool.name)}`);
    if (options.mirrorsParams) {
      const params = readParams(tool);
      if (params.length > 0) into.params.set(tool.name, params);
    }
    into.byName.set(tool.name, tool);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    options.onProblem(error);
  }
}

function readTool(entry: unknown, onProblem: (problem: Error) => void): Tool {
  if (!isObject(entry) || typeof entry.name !== "string")
    throw new MortiseError("invalid_response", "Left out a tool without a name");
  const { name, inputSchema, outputSchema } = entry;
  if (!isObject(inputSchema) || (inputSchema.type !== undefined && inputSchema.type !== "object")) {
    throw new MortiseError(
      "invalid_response",
      `Left out tool ${JSON.stringify(name)}: expected its "inputSchema" to be a schema of type "object"`,
    );
  }
  if (outputSchema !== undefined && !isObject(outputSchema)) {
    throw new MortiseError(
      "invalid_response",
      `Left out tool ${JSON.stringify(name)}: expected its "outputSchema" to be an object`,
    );
  }
  if (inputSchema.type === "object") return entry as unknown as Tool; // name and schemas are checked; the rest is for display
  onProblem(
    new MortiseError(
      "invalid_response",
      `Tool ${JSON.stringify(name)} has an "inputSchema" without a type, which is read as "object"`,
    ),
  );
  return { ...entry, name, inputSchema: { ...inputSchema, type: "object" } } as Tool; // the same, repaired
}

function readParams(tool: Tool): readonly ParamHeader[] {
  try {
    return collectParamHeaders(tool.inputSchema);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    throw new MortiseError(error.code, `Left out tool ${JSON.stringify(tool.name)}: ${error.message}`, {
      cause: error,
    });
  }
}
