import { JsonRpcError, RPC } from "@mortise/core";
import type { WatchedResources } from "./carrier.js";
import { encodeChange, LIST_FEATURES, listTopic, resourceTopic } from "./change-notice.js";
import { DueNotices } from "./due-notices.js";
import type { ServerCore } from "./server-core.js";
import { MAX_WATCHED } from "./watch-limits.js";

/**
 * Tells one legacy client of changes: of the lists that exist when it opens, and of the single resources it watches. Several
 * changes in one turn are one notice.
 */
export class Announcer implements WatchedResources {
  readonly #server: ServerCore;
  readonly #notices: DueNotices;
  readonly #watched = new Map<string, () => void>();
  #endLists: (() => void) | undefined;

  /** `send` gives a promise while the reader is behind. */
  constructor(server: ServerCore, send: (notice: string) => void | Promise<void>) {
    this.#server = server;
    this.#notices = new DueNotices({ send, fail: (error) => server.report(error, {}) });
  }

  /** Begins to tell of the lists. */
  open(): void {
    this.#endLists?.();
    const topics = LIST_FEATURES.filter((feature) => this.#server.offers(feature)).map(listTopic);
    this.#endLists = this.#server.changes.watch(topics, this.#tell);
  }

  /** Begins to tell of one resource. Throws a `JsonRpcError` (-32602) when too many are watched. */
  add(uri: string): void {
    if (this.#watched.has(uri)) return;
    if (this.#watched.size >= MAX_WATCHED)
      throw new JsonRpcError(RPC.invalidParams, `Expected at most ${MAX_WATCHED} watched resources`);
    this.#watched.set(uri, this.#server.changes.watch([resourceTopic(uri)], this.#tell));
  }

  delete(uri: string): void {
    this.#watched.get(uri)?.();
    this.#watched.delete(uri);
  }

  /** Tells of nothing any more. */
  close(): void {
    this.#endLists?.();
    for (const end of this.#watched.values()) end();
    this.#watched.clear();
    this.#notices.clear();
  }

  readonly #tell = (topic: string): void => this.#notices.add(encodeChange(topic));
}
