import type { JsonObject, JsonRpcNotification } from "@mortise/core";
import type { CachedCalls } from "./cache/cached-calls.js";
import type { Send } from "./calls/around-tools.js";
import type { CallPath } from "./calls/call-path.js";
import type { Middleware } from "./calls/middleware.js";
import type { Call, ChangeObserver } from "./connection.js";
import type { Session } from "./era.js";
import type { RequestOptions } from "./options.js";
import { untilAborted } from "./run-request.js";
import type { Settings } from "./settings.js";
import type { SubscriptionFilter } from "./subscription.js";

/** The ends of methods whose results may be kept; a closer look is taken when the cache is there. */
const MAY_BE_KEPT = /(?:list|read|discover)$/;

/** What runs around the requests of one client. Loaded with the first request that needs any of it. */
export class Around implements ChangeObserver {
  readonly #settings: Settings;
  readonly #middleware: Middleware[] = [];
  /** Whether there is something that every request needs. */
  #forAll: boolean;
  #loading: Promise<CallPath> | undefined;
  #cached: CachedCalls | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#forAll = settings.trace !== undefined;
  }

  use(middleware: Middleware): void {
    this.#middleware.push(middleware);
    this.#forAll = true;
  }

  /** Whether a request with such options has to come here, even if it is neither safe nor one for the cache. */
  isNeeded(options: RequestOptions | undefined): boolean {
    return this.#forAll || options?.retries !== undefined;
  }

  /** Sends a request through what it needs. */
  run(session: Session, call: Call, send: Send): Promise<JsonObject> {
    const { retries, cache } = this.#settings;
    const { method, options } = call;
    const isForCache = cache !== false && MAY_BE_KEPT.test(method) && this.#usesCache(options);
    return isForCache || retries !== undefined || this.isNeeded(options)
      ? this.#load().then((path) => path.run(session, call, send))
      : send(call);
  }

  /** A request is over, whether or not it was run here. */
  settle(method: string, error?: unknown): void {
    this.#cached?.settle(method, error);
  }

  onChange(notification: JsonRpcNotification): void {
    this.#tell((cached) => cached.heard(notification));
  }

  onGap(filter: SubscriptionFilter): void {
    this.#tell((cached) => cached.missed(filter));
  }

  /** What is behind a pipe is another process now, and what a legacy server said has gone with its session. */
  onOpened({ tellsFreshness }: Session): void {
    if (this.#settings.target.kind !== "http" || !tellsFreshness) this.#cached?.drop();
  }

  /** Forgets what is known of one method. */
  forget(method: string): void {
    this.#cached?.drop(method);
  }

  /** What others have put into a shared cache is concerned, too. */
  #tell(tell: (cached: CachedCalls) => void): void {
    if (this.#cached !== undefined) tell(this.#cached);
    else if (this.#isShared) this.#load().then(({ cached }) => cached && tell(cached), this.#settings.onProblem);
  }

  get #isShared(): boolean {
    const { cache } = this.#settings;
    return cache !== false && cache.store !== undefined;
  }

  /** What is asked anew anyway needs no cache, unless somebody may read there. */
  #usesCache(options: RequestOptions | undefined): boolean {
    const mode = options?.cache ?? "default";
    return mode === "default" || (mode === "reload" && (this.#cached !== undefined || this.#isShared));
  }

  #load(): Promise<CallPath> {
    this.#loading ??= this.#createPath().catch((error: unknown) => {
      // What could not be loaded now may be had in a moment.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #createPath(): Promise<CallPath> {
    const { createCallPath } = await import("./calls/call-path.js");
    const { onProblem } = this.#settings;
    const path = createCallPath({
      settings: this.#settings,
      middleware: this.#middleware,
      tools: { untilAborted, onProblem },
    });
    this.#cached = path.cached;
    return path;
  }
}
