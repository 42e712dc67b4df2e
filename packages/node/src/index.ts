export {
  type LegacyOptions,
  type Presets,
  presets,
  type SessionRecord,
  type SessionStore,
} from "@mortise/http/exchange";
export { type HttpInfo, type HttpOptions, http } from "./http.js";
export { createNodeHttpHandler, type NodeHandlerOptions, type NodeHttpHandler } from "./node-handler.js";
