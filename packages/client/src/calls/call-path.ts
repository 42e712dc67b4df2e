import { type JsonObject, MortiseError } from "@mortise/core";
import { createContext } from "../cache/cache-context.js";
import { CachedCalls } from "../cache/cached-calls.js";
import { ResponseStore } from "../cache/response-cache.js";
import type { Companion } from "../companion.js";
import type { Call } from "../connection.js";
import type { Session } from "../era.js";
import type { Settings } from "../settings.js";
import type { AroundTools, Send } from "./around-tools.js";
import { type Middleware, runThroughMiddleware } from "./middleware.js";
import { countRetries, sendAgain } from "./retries.js";
import { addTrace } from "./trace.js";

/** What a request of one client passes on its way, from the outside in: middleware, the cache, retries, the trace. */
export interface CallPath {
  /** The cache of the client, if it has one. */
  readonly cached: CachedCalls | undefined;
  run(session: Session, call: Call, send: Send): Promise<JsonObject>;
}

/** What a path is made of. */
export interface CallPathOptions {
  readonly settings: Settings;
  /** Grows. */
  readonly middleware: readonly Middleware[];
  /** Who hears of changes; grows. */
  readonly companions: Set<Companion>;
  readonly tools: AroundTools;
}

/** Puts together what runs around the requests of one client. */
export function createCallPath({ settings, middleware, companions, tools }: CallPathOptions): CallPath {
  const { retries = 0, timeout, trace } = settings;
  const cached = createCached(settings, tools);
  if (cached !== undefined) companions.add(follow(cached, settings));
  return {
    cached,
    run(session, call, send) {
      const sendTraced: Send = trace === undefined ? send : (one) => send(addTrace(one, trace, tools));
      const sendSafely: Send = (one) => {
        const times = countRetries(one, retries);
        return times === 0 ? sendTraced(one) : sendAgain(one, sendTraced, { retries: times, timeout, tools });
      };
      const sendCached: Send = cached === undefined ? sendSafely : (one) => cached.run(session, one, sendSafely);
      return middleware.length === 0 ? sendCached(call) : runThroughMiddleware(call, sendCached, { middleware, tools });
    },
  };
}

/** Keeps a cache to what is known of the server. */
function follow(cached: CachedCalls, { target }: Settings): Companion {
  return {
    onChange: (notification) => cached.heard(notification),
    onGap: (filter) => cached.missed(filter),
    onSession({ tellsFreshness }) {
      // What is behind a pipe is another process now, and what a legacy server said has gone with its session.
      if (target.kind !== "http" || !tellsFreshness) cached.drop();
    },
  };
}

function createCached({ cache, target, identity, timeout }: Settings, tools: AroundTools): CachedCalls | undefined {
  if (cache === false) return undefined;
  const { store = new ResponseStore(cache), legacyTtl = 0, staleIfError = 0 } = cache;
  if (!(store instanceof ResponseStore))
    throw new MortiseError("invalid_options", 'Expected "cache.store" to be what createResponseCache() makes');
  const context = createContext(target, identity, store);
  return new CachedCalls({ store, context, legacyTtl, staleIfError, timeout, tools });
}
