import {
  isObject,
  type JsonObject,
  JsonRpcError,
  type JsonRpcNotification,
  MCPTimeoutError,
  MortiseError,
  RPC,
} from "@mortise/core";
import type { AroundTools, Send } from "../calls/around-tools.js";
import { isPassing } from "../calls/passing-failure.js";
import type { Call } from "../connection.js";
import type { Session } from "../era.js";
import type { SubscriptionFilter } from "../subscription.js";
import type { ReadableContext } from "./cache-context.js";
import { writeKey } from "./cache-key.js";
import type { ResponseStore, StoredResponse } from "./response-cache.js";
import { SharedCall, type SharedStart } from "./shared-call.js";
import { isChange, type StoredSubject } from "./stale-by.js";

/** The methods whose results say how long they stay fresh. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cacheable-results */
const CACHEABLE: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);
/** What a server would say if the list had changed that names what a request is about. */
const LISTED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "notifications/tools/list_changed"],
  ["prompts/get", "notifications/prompts/list_changed"],
  ["resources/read", "notifications/resources/list_changed"],
]);
/** Errors that servers answer with for something they do not have. */
const UNKNOWN: ReadonlySet<number> = new Set([RPC.methodNotFound, RPC.invalidParams, RPC.resourceNotFound]);
/** Nothing is believed for longer than a day, whatever a server says. */
const LONGEST_TTL_MS = 86_400_000;

/** What the cache of one client needs. */
export interface CachedCallsOptions {
  readonly store: ResponseStore;
  readonly context: ReadableContext;
  /** How long lists of servers that do not say it stay fresh, in milliseconds. */
  readonly legacyTtl: number;
  /** How long a stale response may stand in for one that cannot be had, in milliseconds. */
  readonly staleIfError: number;
  /** The client's own timeout. */
  readonly timeout: number | undefined;
  readonly tools: AroundTools;
}

/** One request for something that may be there already. */
interface Lookup {
  readonly subject: StoredSubject;
  readonly publicKey: string;
  /** `undefined` while it is not known with whose rights the request is sent. */
  readonly privateKey: string | undefined;
}

/**
 * Answers requests of one client from a cache, and keeps what may be kept.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export class CachedCalls {
  readonly #options: CachedCallsOptions;
  readonly #shared = new Map<string, SharedCall>();

  constructor(options: CachedCallsOptions) {
    this.#options = options;
  }

  async run(session: Session, call: Call, send: Send): Promise<JsonObject> {
    const mode = call.options?.cache ?? "default";
    if (mode === "no-store" || !CACHEABLE.has(call.method) || isAnswering(call.params)) return send(call);
    const { tools } = this.#options;
    const lookup = await tools.untilAborted(() => this.#prepare(session, call), call.options?.signal);
    if (mode === "reload") return this.#fetch(session, call, { lookup, send });
    const found = this.#find(lookup);
    if (found !== undefined && isFresh(found)) return parse(found);
    try {
      return await this.#share(session, call, { lookup, send });
    } catch (error) {
      const stale = this.#findStale(lookup, error);
      if (stale === undefined) throw error;
      const message = `Gave an older result of "${call.method}", since there is no newer one`;
      tools.onProblem(new MortiseError("stale_result", message, { cause: error }));
      return parse(stale);
    }
  }

  /**
   * A request that may have changed something is over. What was sent before may be answered with what was before the change: from
   * now on nobody joins it. An error that speaks of something unknown shows that a list is out of date.
   */
  settle(method: string, error: unknown): void {
    if (CACHEABLE.has(method) && error === undefined) return;
    this.#shared.clear();
    const list = LISTED_BY.get(method);
    if (list !== undefined && error instanceof JsonRpcError && UNKNOWN.has(error.code)) this.heard({ method: list });
  }

  heard(notification: Pick<JsonRpcNotification, "method" | "params">): void {
    if (!isChange(notification.method)) return;
    this.#options.store.expire(this.#options.context.server, notification);
  }

  /** Changes of these kinds may have come to pass unheard. */
  missed({
    toolsListChanged,
    promptsListChanged,
    resourcesListChanged,
    resourceSubscriptions,
  }: SubscriptionFilter): void {
    if (toolsListChanged === true) this.heard({ method: "notifications/tools/list_changed" });
    if (promptsListChanged === true) this.heard({ method: "notifications/prompts/list_changed" });
    if (resourcesListChanged === true) this.heard({ method: "notifications/resources/list_changed" });
    for (const uri of resourceSubscriptions ?? [])
      this.heard({ method: "notifications/resources/updated", params: { uri } });
  }

  /** Forgets what the server said, of one method or of all. */
  drop(method?: string): void {
    this.#options.store.drop(this.#options.context.server, method);
  }

  async #prepare(session: Session, { method, params, options }: Call): Promise<Lookup> {
    const { context } = this.#options;
    const publicKey = `${context.describe(session)}${writeKey(method, params, options?.meta)}`;
    const rights = await context.rights();
    return {
      subject: { server: context.server, method, uri: typeof params?.uri === "string" ? params.uri : undefined },
      publicKey,
      privateKey: rights === undefined ? undefined : `${publicKey}${rights}`,
    };
  }

  #find({ publicKey, privateKey }: Lookup): StoredResponse | undefined {
    const { store } = this.#options;
    const found = privateKey === undefined ? undefined : store.find(privateKey);
    return found !== undefined && isFresh(found) ? found : (store.find(publicKey) ?? found);
  }

  #findStale(lookup: Lookup, error: unknown): StoredResponse | undefined {
    const { staleIfError } = this.#options;
    if (staleIfError === 0 || !isPassing(error)) return undefined;
    const found = this.#find(lookup);
    return found !== undefined && Date.now() < found.freshUntil + staleIfError ? found : undefined;
  }

  /** Waits for an equal request that is on its way, or sends one. */
  async #share(session: Session, call: Call, { lookup, send }: { lookup: Lookup; send: Send }): Promise<JsonObject> {
    const { options } = call;
    const { tools } = this.#options;
    const canShare = options?.onProgress === undefined && options?.resetTimeoutOnProgress !== true;
    if (lookup.privateKey === undefined || !canShare) return this.#fetch(session, call, { lookup, send });
    // Nobody joins what was sent before something changed, whichever client of the store has heard of it.
    const { changes } = this.#options.store;
    const { timeout, maxTotalTimeout, retries } = options ?? {};
    const key = JSON.stringify([lookup.privateKey, changes, timeout, maxTotalTimeout, retries]);
    const beganAt = performance.now();
    const running = this.#shared.get(key);
    const shared =
      running === undefined || running.isGivenUp ? this.#begin(key, session, call, { lookup, send }) : running;
    const result = await shared.join((answer) => tools.untilAborted(answer, options?.signal));
    return result ?? this.#fetchInTime(session, call, { lookup, send, waitedMs: performance.now() - beganAt });
  }

  #begin(key: string, session: Session, call: Call, { lookup, send }: { lookup: Lookup; send: Send }): SharedCall {
    const start = async ({ signal, onAsked }: SharedStart): Promise<JsonObject> => {
      const sharedCall = { ...call, options: { ...call.options, signal }, onAsked };
      try {
        return await this.#fetch(session, sharedCall, { lookup, send });
      } finally {
        if (this.#shared.get(key) === shared) this.#shared.delete(key);
      }
    };
    const shared = new SharedCall({ start, isOwn: (error) => error instanceof MCPTimeoutError });
    this.#shared.set(key, shared);
    return shared;
  }

  /** Sends a request of one's own in what is left of one's time after waiting for another one. */
  async #fetchInTime(
    session: Session,
    call: Call,
    { lookup, send, waitedMs }: { lookup: Lookup; send: Send; waitedMs: number },
  ): Promise<JsonObject> {
    const { timeout = this.#options.timeout ?? 0, maxTotalTimeout } = call.options ?? {};
    const shortest = Math.min(...[timeout, maxTotalTimeout ?? 0].filter((limit) => limit > 0));
    const tooLate = (): MCPTimeoutError =>
      new MCPTimeoutError(`Request "${call.method}" was not answered within ${shortest} ms`, { timeoutMs: shortest });
    if (waitedMs >= shortest) throw tooLate();
    const left = (limit: number | undefined): number | undefined => (limit ? limit - waitedMs : limit);
    const options = { ...call.options, timeout: left(timeout), maxTotalTimeout: left(maxTotalTimeout) };
    try {
      return await this.#fetch(session, { ...call, options }, { lookup, send });
    } catch (error) {
      throw error instanceof MCPTimeoutError ? tooLate() : error;
    }
  }

  async #fetch(session: Session, call: Call, { lookup, send }: { lookup: Lookup; send: Send }): Promise<JsonObject> {
    const { store, context } = this.#options;
    const pending = store.begin(lookup.subject);
    let wasAsked = false;
    const onAsked = (): void => {
      wasAsked = true;
      call.onAsked?.();
    };
    try {
      const result = await send({ ...call, onAsked });
      const isWhole = result.resultType === undefined || result.resultType === "complete";
      if (wasAsked || !isWhole) return result;
      const rights = await context.rights();
      this.#keep(session, result, {
        lookup,
        pending,
        sameRights: lookup.privateKey === `${lookup.publicKey}${rights}`,
      });
      return result;
    } finally {
      store.end(pending);
    }
  }

  #keep(
    session: Session,
    result: JsonObject,
    {
      lookup,
      pending,
      sameRights,
    }: { lookup: Lookup; pending: ReturnType<ResponseStore["begin"]>; sameRights: boolean },
  ): void {
    const { store, staleIfError } = this.#options;
    const { publicKey, privateKey } = lookup;
    const receivedAt = Date.now();
    const ttl = session.tellsFreshness ? readTtl(result.ttlMs) : this.#legacyTtl(lookup.subject.method);
    const isPublic = session.tellsFreshness && result.cacheScope === "public";
    const key = isPublic ? publicKey : sameRights ? privateKey : undefined;
    const other = isPublic ? privateKey : publicKey;
    if (other !== undefined && !pending.isOutdated) store.remove(other, pending);
    if (key === undefined) return;
    const text = ttl > 0 || staleIfError > 0 ? write(result) : undefined;
    if (text !== undefined) store.put(key, pending, { text, receivedAt, freshUntil: receivedAt + ttl });
    else if (!pending.isOutdated) store.remove(key, pending);
  }

  #legacyTtl(method: string): number {
    return method.endsWith("/list") ? this.#options.legacyTtl : 0;
  }
}

/** Results of requests that carry answers depend on those. */
function isAnswering(params: JsonObject | undefined): boolean {
  return params?.inputResponses !== undefined || params?.requestState !== undefined;
}

/** https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#time-to-live-ttl-field */
function readTtl(ttlMs: unknown): number {
  return typeof ttlMs === "number" && ttlMs > 0 ? Math.min(ttlMs, LONGEST_TTL_MS) : 0;
}

/** A clock that was set back says nothing about age. */
function isFresh({ receivedAt, freshUntil }: StoredResponse): boolean {
  const now = Date.now();
  return now >= receivedAt && now < freshUntil;
}

/** The text of a result; `undefined` for what is nested too deeply to be written, which is not kept. */
function write(result: JsonObject): string | undefined {
  try {
    return JSON.stringify(result);
  } catch {
    // It came from JSON: its depth is all that can be wrong with it.
    return undefined;
  }
}

function parse({ text }: StoredResponse): JsonObject {
  const result: unknown = JSON.parse(text);
  if (!isObject(result)) throw new TypeError("Expected a kept result to be an object");
  return result;
}
