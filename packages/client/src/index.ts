export { JsonRpcError, MCPTimeoutError, MortiseError } from "@mortise/core";
export type { HttpRefusal } from "./answer.js";
export { MCPClient } from "./client.js";
export type { ServersConfig } from "./config.js";
export type { ConnectResult } from "./era.js";
export type { HeaderInput } from "./header-list.js";
export { connectInMemory, type InMemoryConnection, type InMemoryServer } from "./in-memory.js";
export type {
  ClientOptions,
  CommandOptions,
  CommonOptions,
  EraChoice,
  EraVerdict,
  HttpOptions,
  PipeOptions,
  ProcessOptions,
  Progress,
  RequestOptions,
} from "./options.js";
export type { ChatTool, Tool } from "./tool-list.js";
export type { ToolResult } from "./tool-result.js";
