import type { JsonObject } from "@mortise/core";
import type { CachedCalls } from "./cache/cached-calls.js";
import type { Send } from "./calls/around-tools.js";
import type { CallPath } from "./calls/call-path.js";
import type { Middleware } from "./calls/middleware.js";
import type { Companion } from "./companion.js";
import type { Call } from "./connection.js";
import type { Session } from "./era.js";
import type { RequestOptions } from "./options.js";
import { untilAborted } from "./run-request.js";
import type { Settings } from "./settings.js";

/** The ends of methods whose results may be kept; a closer look is taken when the cache is there. */
const MAY_BE_KEPT = /(?:list|read|discover)$/;

/** What runs around the requests of one client. Loaded with the first request that needs any of it. */
export class Around {
  readonly #settings: Settings;
  readonly #middleware: Middleware[] = [];
  /** Whether there is something that every request needs. */
  #forAll: boolean;
  #loading: Promise<CallPath> | undefined;
  #cached: CachedCalls | undefined;
  /** Who hears of changes; grows. */
  readonly #companions: Set<Companion>;

  constructor(settings: Settings, companions: Set<Companion>) {
    this.#settings = settings;
    this.#companions = companions;
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

  /** What others have put into a shared cache is concerned by what a server tells from the beginning on. */
  async prepare(): Promise<void> {
    if (this.#isShared) await this.#load().catch(this.#settings.onProblem);
  }

  /** Forgets what is known of one method. */
  forget(method: string): void {
    this.#cached?.drop(method);
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
      companions: this.#companions,
      tools: { untilAborted, onProblem },
    });
    this.#cached = path.cached;
    return path;
  }
}
