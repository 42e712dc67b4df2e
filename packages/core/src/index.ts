export { type Ask, readAsks, toCapabilities } from "./capabilities.js";
export {
  type Annotations,
  type AudioContent,
  type BlobResourceContents,
  type ContentBlock,
  type ContentKind,
  type EmbeddedResource,
  type Icon,
  type ImageContent,
  projectContent,
  type ResourceLink,
  type TextContent,
  type TextResourceContents,
} from "./content.js";
export {
  describeType,
  type ErrorCode,
  invalidParams,
  isJsonRpcError,
  JsonRpcError,
  MCPTimeoutError,
  MortiseError,
  RPC,
  toError,
} from "./errors.js";
export { isHeaderName } from "./header-name.js";
export { decodeHeaderValue, encodeHeaderValue } from "./header-value.js";
export { type Implementation, readImplementation } from "./implementation.js";
export { isThenable } from "./is-thenable.js";
export { isObject, type JsonObject } from "./json.js";
export {
  classifyMessage,
  createError,
  createNotification,
  createRequest,
  createResult,
  type ErrorObject,
  isRequestId,
  type JsonRpcErrorResponse,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcResultResponse,
  type MessageKind,
  type RequestId,
  readableId,
} from "./json-rpc.js";
export { type InitializeInput, type InitializeResult, parseInitialize } from "./legacy/handshake.js";
export { createLineReader, type LineReader, type LineReaderOptions } from "./lines.js";
export { isLogLevel, LOG_LEVELS, type LogLevel } from "./log-level.js";
export {
  CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  createEnvelope,
  type Envelope,
  LOG_LEVEL_KEY,
  readEnvelope,
  SERVER_INFO_KEY,
  SUBSCRIPTION_KEY,
  VERSION_KEY,
} from "./modern/envelope.js";
export {
  BYTES,
  COUNT,
  checkOptions,
  FLAG,
  HOOK,
  invalidOptions,
  LIST,
  MEMBERS,
  type OptionRule,
  type OptionRules,
  oneOf,
  TEXT,
  wrongOption,
} from "./option-rules.js";
export type { PipeEvents, PipeTransport } from "./pipe-transport.js";
export { Refusal } from "./refusal.js";
export {
  ASSUMED_PROTOCOL_VERSION,
  type EraName,
  LEGACY_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  REVISIONS,
  type Revision,
  revisionOf,
} from "./revisions.js";
export { type EraHints, type Selection, selectBatch, selectEra } from "./select-era.js";
export { type EventFields, formatEvent, KEEP_ALIVE } from "./sse-write.js";
export { LONGEST_DELAY } from "./timer.js";
export { parseUriTemplate, type TemplateParams, type UriTemplate } from "./uri-template.js";
export { expandUriTemplate, type TemplateValue } from "./uri-template-expand.js";
export { createUriMatcher, type MatchedValues, type UriMatcher } from "./uri-template-match.js";
export { toWireError, type WireError } from "./wire-error.js";
