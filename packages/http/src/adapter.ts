/*
 * The entry `@mortise/http/exchange`: what adapters of other runtimes are built on.
 */
export type { Body, BodyProblem, Exchange, HeaderList, Reply } from "./exchange.js";
export { createExchangeHandler, type ExchangeHandler, type RuntimeOptions } from "./exchange-handler.js";
export type { HandlerOptions } from "./handler-options.js";
export { createSharedKeepAlive, createSingleKeepAlive, type KeepAlive } from "./keep-alive.js";
export type { EventStore, SessionRecord, SessionStore, StoredEvent, StoredEvents } from "./legacy/index.js";
export type { LegacyOptions, SseOptions } from "./legacy-options.js";
export { type Presets, presets } from "./presets.js";
