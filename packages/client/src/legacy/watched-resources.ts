import type { JsonObject } from "@mortise/core";
import type { PendingRequest } from "../era.js";

type Request = (request: PendingRequest) => Promise<JsonObject>;

/** The resources that a session was asked to watch: each once, however many there are who want it. */
export interface WatchedResources {
  /** Has the server watch the addresses that it does not watch yet. Counts each, also when this rejects. */
  acquire(uris: readonly string[], request: Request): Promise<void>;
  /** Takes back one `acquire`. Never rejects. */
  release(uris: readonly string[], request: Request): Promise<void>;
  /** Has another session watch all of them. */
  restore(request: Request): Promise<void>;
  /** The session is over: there is nobody to take anything back from. */
  forget(): void;
}

interface Watched {
  holders: number;
  /** The latest message about it, and all before. What follows waits, since messages may overtake each other. */
  latest: Promise<unknown>;
}

/**
 * Counts who wants which resource watched.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export function createWatchedResources(onProblem: (problem: Error) => void): WatchedResources {
  let watched = new Map<string, Watched>();
  const acquireOne = (uri: string, request: Request): Promise<unknown> => {
    const entry = watched.get(uri) ?? { holders: 0, latest: Promise.resolve() };
    watched.set(uri, entry);
    entry.holders += 1;
    if (entry.holders === 1)
      entry.latest = entry.latest.then(() => request({ method: "resources/subscribe", params: { uri } }));
    return entry.latest;
  };
  const releaseOne = async (uri: string, request: Request): Promise<void> => {
    const entry = watched.get(uri);
    if (entry === undefined) return;
    entry.holders -= 1;
    if (entry.holders > 0) return;
    const latest = entry.latest.then(
      () => request({ method: "resources/unsubscribe", params: { uri } }).catch(onProblem),
      () => undefined, // it was never watched
    );
    entry.latest = latest;
    await latest;
    if (entry.latest === latest) watched.delete(uri);
  };
  return {
    async acquire(uris, request) {
      await settleAll(uris.map((uri) => acquireOne(uri, request)));
    },
    async release(uris, request) {
      await Promise.all(uris.map((uri) => releaseOne(uri, request)));
    },
    async restore(request) {
      const entries = [...watched].filter(([, { holders }]) => holders > 0);
      await settleAll(entries.map(([uri]) => request({ method: "resources/subscribe", params: { uri } })));
    },
    forget() {
      watched = new Map();
    },
  };
}

/** Waits for all, and rejects with the first failure: what is still on its way could not be taken back. */
async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === "rejected") throw outcome.reason;
}
