export type {
  ClientOptions,
  ConnectResult,
  Progress,
  RequestOptions,
  ServersConfig,
  Tool,
  ToolResult as ClientToolResult,
} from "@mortise/client";
export { JsonRpcError, MCPClient, MCPTimeoutError, MortiseError } from "@mortise/client";
export type { HttpOptions } from "@mortise/node";
export type {
  ContentBlock,
  HandleOptions,
  HandlerContext,
  JsonObject,
  JsonSchema,
  ServerOptions,
  ToolAnnotations,
  ToolDefinition,
  ToolEntry,
  ToolHandle,
  ToolHandler,
  ToolResult,
  ToolReturn,
} from "@mortise/server";
export type { StdioOptions } from "@mortise/stdio";
export { MCPServer } from "./mcp-server.js";
