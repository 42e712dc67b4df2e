import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { createSource, walkPages } from "./pages.js";
import type { Mirror } from "./param-mirror.js";
import type { Tool, ToolList, ToolListRequest } from "./tool-list.js";

/** What was begun with before. */
export interface ToolsSoFar {
  /** The first page. */
  readonly first: Promise<JsonObject>;
  /** Whether a schema may mirror anything, so that it is worth a closer look. */
  mentionsAnnotation(schema: JsonObject): boolean;
}

/** Reads every page of tools, whatever is in them. Loaded with the first list that is not plain. */
export async function readToolList(
  { mirrorsParams, ...request }: ToolListRequest,
  { first, mentionsAnnotation }: ToolsSoFar,
): Promise<ToolList> {
  const byName = new Map<string, Tool>();
  const mirrors = new Map<string, Mirror>();
  const { client } = request;
  let begun: Promise<JsonObject> | undefined = first;
  const source = createSource(
    {
      ...request,
      client: {
        run(call) {
          const page = begun ?? client.run(call);
          begun = undefined;
          return page;
        },
        forget(method) {
          byName.clear();
          mirrors.clear();
          client.forget(method);
        },
        onProblem: client.onProblem,
      },
    },
    { tools: [] },
  );
  const means: ToolMeans = {
    onProblem: client.onProblem,
    mayMirror: (schema) => mirrorsParams && mentionsAnnotation(schema),
  };
  for await (const { tools } of walkPages(source)) {
    if (!Array.isArray(tools))
      throw new MortiseError("invalid_response", 'Expected "tools" in the result of "tools/list" to be an array');
    for (const entry of tools) await addTool(entry, { byName, mirrors }, means);
  }
  return { tools: [...byName.values()], byName, mirrors };
}

interface ToolMeans {
  onProblem(problem: Error): void;
  mayMirror(schema: JsonObject): boolean;
}

async function addTool(
  entry: unknown,
  into: { byName: Map<string, Tool>; mirrors: Map<string, Mirror> },
  { onProblem, mayMirror }: ToolMeans,
): Promise<void> {
  try {
    const tool = readTool(entry, onProblem);
    if (into.byName.has(tool.name))
      throw new MortiseError("duplicate_name", `Left out a second tool named ${JSON.stringify(tool.name)}`);
    if (mayMirror(tool.inputSchema)) {
      const { createMirror } = await import("./param-mirror.js");
      const mirror = createMirror(tool.name, tool.inputSchema);
      if (mirror !== undefined) into.mirrors.set(tool.name, mirror);
    }
    into.byName.set(tool.name, tool);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    onProblem(error);
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
