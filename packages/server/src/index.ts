export {
  type Ask,
  type ContentBlock,
  type Icon,
  type Implementation,
  type JsonObject,
  JsonRpcError,
  LEGACY_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  MortiseError,
} from "@mortise/core";
export type { Bus } from "./bus.js";
export type { Completer, CompletionContext, CompletionReturn } from "./completer.js";
export type { HandlerContext } from "./context.js";
export type {
  ApartOptions,
  AroundToolCall,
  Extension,
  ExtensionHandle,
  ExtensionMethod,
  ExtensionNotice,
  ListenFilter,
  NextToolCall,
  ToolCall,
} from "./extension.js";
export type { HandleOptions, HeaderSource } from "./handle.js";
export { type InputDemand, type InputRequest, InputRequired, inputRequired } from "./input-required.js";
export type { ItemHandle } from "./item-handle.js";
export { createMemoryStateStore, type MemoryStateStore, type MemoryStateStoreOptions } from "./memory-state-store.js";
export type { Middleware, MiddlewareCall } from "./middleware.js";
export type { Notify } from "./notify.js";
export type {
  PromptArgument,
  PromptArguments,
  PromptChange,
  PromptDefinition,
  PromptEntry,
  PromptHandle,
  PromptHandler,
  PromptInput,
  PromptMessage,
  PromptResult,
  PromptReturn,
} from "./prompt-definition.js";
export type {
  AnswerTo,
  AskSeveral,
  Elicit,
  ElicitForm,
  ElicitUrl,
  FormAnswer,
  InputResponse,
  ListRoots,
  Question,
  RootsAnswer,
  Sample,
  SampleAnswer,
  SampleBlock,
  SampleMessage,
  ToolResultContent,
  ToolUseContent,
  UrlAnswer,
} from "./question.js";
export type {
  ListedResource,
  ResourceChange,
  ResourceContents,
  ResourceDefinition,
  ResourceEntry,
  ResourceHandle,
  ResourceHandler,
  ResourceLister,
  ResourceRequest,
  ResourceResult,
  ResourceReturn,
} from "./resource-definition.js";
export type { AnySchema, InferInput, InferOutput, JsonSchema, StandardSchema } from "./schema/infer.js";
export { MCPServer } from "./server.js";
export type { FailureContext } from "./server-core.js";
export type { CacheHint, ServerOptions } from "./server-options.js";
export type { Attachment, ServerTransport } from "./server-transport.js";
export type { StateKey, StateOptions, StateStore } from "./state-options.js";
export type {
  ToolAnnotations,
  ToolArguments,
  ToolChange,
  ToolDefinition,
  ToolEntry,
  ToolHandle,
  ToolHandler,
  ToolResult,
  ToolReturn,
} from "./tool-definition.js";
export type { Caller, Visible } from "./visible.js";
