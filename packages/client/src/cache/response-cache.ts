import { describeType, isObject, type JsonRpcNotification, MortiseError } from "@mortise/core";
import type { CacheLimits, ResponseCache } from "./cache-options.js";
import { isStale, type StoredSubject } from "./stale-by.js";

const DEFAULT_MAX_ENTRIES = 1_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
/** JavaScript keeps a character in two bytes at most. */
const BYTES_PER_CHARACTER = 2;

/** One response, as text: whoever gets it gets a copy. */
export interface StoredResponse extends StoredSubject {
  readonly text: string;
  readonly receivedAt: number;
  /** When it stops being fresh, in milliseconds since 1970. */
  readonly freshUntil: number;
}

/** A request on its way whose response is to be kept, unless it is out of date before it is here. */
export interface PendingResponse extends StoredSubject {
  /** Grows with every request. */
  readonly order: number;
  isOutdated: boolean;
}

interface Entry extends StoredResponse {
  readonly order: number;
  readonly size: number;
}

/**
 * Makes a cache of responses for several clients. Throws `invalid_options`.
 *
 * @example
 * const cache = createResponseCache({ maxEntries: 500 });
 * const clients = tokens.map((token) => new MCPClient({ url, headers: { Authorization: `Bearer ${token}` }, cache }));
 */
export function createResponseCache(limits: CacheLimits = {}): ResponseCache {
  return new ResponseStore(limits);
}

/** The responses, the longest unused first. */
export class ResponseStore implements ResponseCache {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Set<PendingResponse>();
  readonly #names = new WeakMap<object, string>();
  /** How often something was forgotten or went stale before its time, whoever told of it. */
  changes = 0;
  #bytes = 0;
  #requests = 0;
  #named = 0;

  constructor(limits: CacheLimits) {
    if (!isObject(limits))
      throw new MortiseError(
        "invalid_options",
        `Expected limits of a cache to be an object, received ${describeType(limits)}`,
      );
    this.#maxEntries = readLimit("maxEntries", limits.maxEntries, DEFAULT_MAX_ENTRIES);
    this.#maxBytes = readLimit("maxBytes", limits.maxBytes, DEFAULT_MAX_BYTES);
  }

  get entries(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  clear(): void {
    this.changes += 1;
    this.#entries.clear();
    this.#bytes = 0;
    for (const pending of this.#pending) pending.isOutdated = true;
  }

  /** A name for an object that has none, the same each time. */
  nameOf(thing: object): string {
    let name = this.#names.get(thing);
    if (name === undefined) {
      this.#named += 1;
      name = `#${this.#named}`;
      this.#names.set(thing, name);
    }
    return name;
  }

  /** The response under a key, fresh or not. */
  find(key: string): StoredResponse | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Tells that a request is sent. Ends with `end`. */
  begin(subject: StoredSubject): PendingResponse {
    this.#requests += 1;
    const pending = { ...subject, order: this.#requests, isOutdated: false };
    this.#pending.add(pending);
    return pending;
  }

  end(pending: PendingResponse): void {
    this.#pending.delete(pending);
  }

  /** Keeps a response, unless there is one to a later request already. */
  put(
    key: string,
    pending: PendingResponse,
    response: Pick<StoredResponse, "text" | "receivedAt" | "freshUntil">,
  ): void {
    if (pending.isOutdated || !this.remove(key, pending)) return;
    const { server, method, uri, order } = pending;
    const size = (key.length + response.text.length) * BYTES_PER_CHARACTER;
    if (size > this.#maxBytes) return;
    this.#entries.set(key, { ...response, server, method, uri, order, size });
    this.#bytes += size;
    for (const [oldest, { size: freed }] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= freed;
    }
  }

  /** Takes out what is under a key. Gives whether nothing is there now: the answer to a later request stays. */
  remove(key: string, { order }: PendingResponse): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return true;
    if (entry.order > order) return false;
    this.#delete(key, entry);
    return true;
  }

  /** What a server tells of a change makes responses stale, also those on their way. */
  expire(server: string, { method, params }: Pick<JsonRpcNotification, "method" | "params">): void {
    this.changes += 1;
    const change = { server, method, uri: typeof params?.uri === "string" ? params.uri : undefined };
    for (const pending of this.#pending) if (isStale(pending, change)) pending.isOutdated = true;
    const now = Date.now();
    for (const [key, entry] of this.#entries)
      if (isStale(entry, change) && entry.freshUntil > now) this.#entries.set(key, { ...entry, freshUntil: now });
  }

  /** Takes out what a server said, of one method or of all. */
  drop(server: string, method?: string): void {
    this.changes += 1;
    const isMeant = (one: StoredSubject): boolean =>
      one.server === server && (method === undefined || one.method === method);
    for (const pending of this.#pending) if (isMeant(pending)) pending.isOutdated = true;
    for (const [key, entry] of this.#entries) if (isMeant(entry)) this.#delete(key, entry);
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.size;
  }
}

function readLimit(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw new MortiseError("invalid_options", `Expected "${name}" of a cache to be a whole number, 0 or more`);
  return value;
}
