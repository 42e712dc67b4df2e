export type { CacheLimits, CacheOptions, ResponseCache } from "./cache-options.js";
export { createResponseCache } from "./response-cache.js";
