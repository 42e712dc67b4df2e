import { isObject, type JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { addProviderTools, type ProviderToolOptions } from "../../src/index.js";

/** What came of a call. */
export interface Called {
  readonly isError: boolean;
  /** The text of the first block. */
  readonly text: string;
  readonly content: readonly JsonObject[];
  readonly structured: unknown;
}

/** Calls a provider tool on a server of its own, as a modern client does. */
export async function callTool(
  name: string,
  args: JsonObject,
  options: ProviderToolOptions & { readonly signal?: AbortSignal },
): Promise<Called> {
  const { signal, ...rest } = options;
  const failures: unknown[] = [];
  const server = new MCPServer({ name: "test", version: "1.0.0", onError: (error) => failures.push(error) });
  addProviderTools(server, rest);
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name,
      arguments: args,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const response = await server.handle(message, signal === undefined ? {} : { signal });
  if (failures.length > 0) throw failures[0];
  const result = isObject(response) && "result" in response ? response.result : undefined;
  if (!isObject(result)) throw new Error(`Expected a result, received ${JSON.stringify(response)}`);
  const content = result.content as readonly JsonObject[]; // what a result of a tool always has
  const [first] = content;
  return {
    isError: result.isError === true,
    text: typeof first?.text === "string" ? first.text : "",
    content,
    structured: result.structuredContent,
  };
}
