export { type JsonObject, JsonRpcError, MCPTimeoutError, MortiseError } from "@mortise/core";
export type { HttpRefusal } from "./answer.js";
export type { AuthAnswer, Authorizer, AuthRefusal, ProtectedRequest, RequestCredentials } from "./authorizer.js";
export type { CacheLimits, CacheMode, CacheOptions, ResponseCache } from "./cache/cache-options.js";
export type { CallChange, Middleware, MiddlewareCall } from "./calls/middleware.js";
export type { ReadTrace, TraceContext } from "./calls/trace.js";
export { MCPClient } from "./client.js";
export type { Completion, CompletionArgument, CompletionInput } from "./completion.js";
export type { ConfigVariables } from "./config/placeholders.js";
export type { ServersConfig } from "./config/read-servers.js";
export type { ConnectResult } from "./era.js";
export type { ClientExtension, ClientExtensionMethod, ExtendedRequest, ResultHandler } from "./extension.js";
export type { HeaderInput } from "./header-list.js";
export { connectInMemory, type InMemoryConnection, type InMemoryServer } from "./in-memory.js";
export type { ListMethod, ListPage, Lists } from "./lists.js";
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
export type { Prompt, PromptArgument, PromptMessage, PromptResult } from "./prompts.js";
export type {
  ElicitAnswer,
  ElicitRequest,
  FormContent,
  FormRequest,
  QuestionContext,
  QuestionHandlers,
  Root,
  SampleAnswer,
  SampleBlock,
  SampleMessage,
  SampleRequest,
  ToolResultContent,
  ToolUseContent,
  UrlRequest,
} from "./question.js";
export { isResourceNotFound } from "./resource-not-found.js";
export type { ReadResult, Resource, ResourceTemplate } from "./resources.js";
export type { SubscribeOptions, Subscription, SubscriptionEnd, SubscriptionFilter } from "./subscription.js";
export type { ChatTool, Tool } from "./tool-list.js";
export type { ToolResult } from "./tool-result.js";
