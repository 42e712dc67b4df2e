/** How much a cache of responses may hold. What was not used for longest makes room. */
export interface CacheLimits {
  /** How many responses. A page of a list is one. @default 1_000 */
  readonly maxEntries?: number | undefined;
  /** How much memory their text takes, in bytes: two for each character. A response that is larger alone is not kept. @default 16_777_216 */
  readonly maxBytes?: number | undefined;
}

/**
 * Responses that several clients share: pass it as `cache` to each. What a server calls "public" is shared by all clients of that
 * server, everything else by those with the same rights alone.
 */
export interface ResponseCache {
  /** How many responses it holds. */
  readonly entries: number;
  /** How much memory they take, in bytes. */
  readonly bytes: number;
  /** Forgets everything. */
  clear(): void;
}

/** How a client keeps responses. */
export interface CacheOptions extends CacheLimits {
  /** Where they are kept, from `createResponseCache()` of `@mortise/client/cache`; it has its own limits. @default memory of this client alone */
  readonly store?: ResponseCache | undefined;
  /**
   * How long lists of legacy servers, which do not say it, stay fresh, in milliseconds. Notices of changes end that early, where
   * they are heard; while the stream of a server is broken that nobody has subscribed to, they are not. @default 0
   */
  readonly legacyTtl?: number | undefined;
  /**
   * How long a response may be used after it has gone stale while no newer one can be had, because of the network or a server that
   * is down, in milliseconds. Each time `onError` receives a `stale_result`. @default 0
   */
  readonly staleIfError?: number | undefined;
}

/**
 * How one request uses the cache: as usual, to bring in a new response, or not at all. Only what can be kept is concerned: lists,
 * resources that are read, and `server/discover`.
 */
export type CacheMode = "default" | "reload" | "no-store";
