export type { Recognized, Unrecognized, Verifier, VerifyRequest } from "./auth.js";
export type { CorsOption, CorsOptions } from "./cors.js";
export { createHttpHandler, type HttpHandler } from "./handler.js";
export type { DisconnectPolicy, HandlerOptions } from "./handler-options.js";
export type { AllowedHosts } from "./host-rule.js";
export type { LenientOptions } from "./lenient.js";
export type { AllowedOrigins } from "./origin-rule.js";
export type { RequestExtra } from "./request-extra.js";
