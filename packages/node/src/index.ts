export {
  type EventStore,
  type LegacyOptions,
  type Presets,
  presets,
  type SessionRecord,
  type SessionStore,
  type SseOptions,
  type StoredEvent,
  type StoredEvents,
} from "@mortise/http/exchange";
export { type HttpInfo, type HttpOptions, http } from "./http.js";
export { createNodeHttpHandler, type NodeHandlerOptions, type NodeHttpHandler } from "./node-handler.js";
