import { type Icon, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { walkPages } from "./pages.js";
import type { Mirror } from "./param-mirror.js";

/** The keyword of schemas that mirrors an argument into a header. */
const ANNOTATION = "x-mcp-header";
/** After so many objects the closer look, which has limits, is left to decide. */
const MOST_SEEN = 10_000;

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
  /** What mirrors arguments into headers, for tools that have any to mirror. */
  readonly mirrors: ReadonlyMap<string, Mirror>;
}

/** No tools. */
export const NO_TOOLS: ToolList = { tools: [], byName: new Map(), mirrors: new Map() };

/** How a list of tools is read. */
export interface ToolListOptions {
  /** Leave out tools whose `x-mcp-header` annotations are broken, as clients on HTTP must. */
  readonly mirrorsParams: boolean;
  fetchPage(cursor: string | undefined): Promise<JsonObject>;
  /** Called before the list is begun anew. */
  onRestart(): void;
  onProblem(problem: Error): void;
}

/**
 * Reads every page of tools. One unusable tool is reported and left out; the others stay.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 */
export async function fetchToolList(options: ToolListOptions): Promise<ToolList> {
  const byName = new Map<string, Tool>();
  const mirrors = new Map<string, Mirror>();
  const onRestart = (): void => {
    byName.clear();
    mirrors.clear();
    options.onRestart();
  };
  for await (const { tools } of walkPages({ ...options, onRestart, method: "tools/list" })) {
    if (!Array.isArray(tools))
      throw new MortiseError("invalid_response", 'Expected "tools" in the result of "tools/list" to be an array');
    for (const entry of tools) await addTool(entry, { byName, mirrors }, options);
  }
  return { tools: [...byName.values()], byName, mirrors };
}

/** The shape that chat completion APIs take. */
export function toChatTool(tool: Tool): ChatTool {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description ?? tool.title ?? "", parameters: tool.inputSchema },
  };
}

async function addTool(
  entry: unknown,
  into: { byName: Map<string, Tool>; mirrors: Map<string, Mirror> },
  options: ToolListOptions,
): Promise<void> {
  try {
    const tool = readTool(entry, options.onProblem);
    if (into.byName.has(tool.name))
      throw new MortiseError("duplicate_name", `Left out a second tool named ${JSON.stringify(tool.name)}`);
    if (options.mirrorsParams && mentionsAnnotation(tool.inputSchema)) {
      const { createMirror } = await import("./param-mirror.js");
      const mirror = createMirror(tool.name, tool.inputSchema);
      if (mirror !== undefined) into.mirrors.set(tool.name, mirror);
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

/** Whether a schema may mirror anything, so that it is worth a closer look. Schemas can be deep: no recursion. */
function mentionsAnnotation(schema: JsonObject): boolean {
  const open: unknown[] = [schema];
  let seen = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    seen += 1;
    if (seen > MOST_SEEN || Object.hasOwn(value, ANNOTATION)) return true;
    for (const below of Object.values(value)) if (typeof below === "object") open.push(below);
  }
  return false;
}
