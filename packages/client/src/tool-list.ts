import { type Icon, isObject, type JsonObject, JsonRpcError } from "@mortise/core";
import type { PageRequest } from "./pages.js";
import type { Mirror } from "./param-mirror.js";

/** The keyword of schemas that mirrors an argument into a header. */
const ANNOTATION = "x-mcp-header";

/** Of longer schemas, as JSON, the closer look takes care, which has limits. */
const LONGEST_TEXT = 20_000;

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
export interface ToolListRequest extends PageRequest {
  /** Leave out tools whose `x-mcp-header` annotations are broken, as clients on HTTP must. */
  readonly mirrorsParams: boolean;
}

/**
 * Reads every page of tools. One unusable tool is reported and left out; the others stay. What reads more than one page of tools
 * without anything odd is loaded when there is more.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
 */
export async function fetchToolList(request: ToolListRequest): Promise<ToolList> {
  const { method, options, client } = request;
  const first = client.run({ method, options });
  const tools = await first.then(readPlainPage, ignoreRefusal);
  if (tools !== undefined) {
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    const mirrors = request.mirrorsParams && tools.some(({ inputSchema }) => mentionsAnnotation(inputSchema));
    if (byName.size === tools.length && !mirrors) return { ...NO_TOOLS, tools, byName };
  }
  const { readToolList } = await import("./read-tools.js");
  return readToolList(request, { first, mentionsAnnotation });
}

/** The tools of a page that is the only one, and has nothing to repair or to report; `undefined` for any other. */
function readPlainPage({ tools, nextCursor }: JsonObject): readonly Tool[] | undefined {
  return typeof nextCursor !== "string" && Array.isArray(tools) && tools.every(isPlainTool) ? tools : undefined;
}

/** What an error of the server means for the list is for whoever reads it closer. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof JsonRpcError)) throw error;
}

function isPlainTool(tool: unknown): tool is Tool {
  if (!isObject(tool) || typeof tool.name !== "string" || !isObject(tool.inputSchema)) return false;
  return tool.inputSchema.type === "object" && (tool.outputSchema === undefined || isObject(tool.outputSchema));
}

/** The shape that chat completion APIs take. */
export function toChatTool(tool: Tool): ChatTool {
  return {
    type: "function",
    function: { name: tool.name, description: tool.description ?? tool.title ?? "", parameters: tool.inputSchema },
  };
}

/** Whether a schema may mirror anything, so that it is worth a closer look. */
function mentionsAnnotation(schema: JsonObject): boolean {
  try {
    const text = JSON.stringify(schema);
    return text.length > LONGEST_TEXT || text.includes(`"${ANNOTATION}"`);
  } catch {
    // Nested deeper than the stack.
    return true;
  }
}
