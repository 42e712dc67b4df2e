import { type JsonObject, type JsonRpcNotification, toError } from "@mortise/core";
import { platform } from "#platform";
import type { Companion } from "./companion.js";
import { Deadline, readTimeLimit } from "./deadline.js";
import type { DebugLog } from "./debug-log.js";
import type { Session } from "./era.js";
import { openSession } from "./eras.js";
import { closedError, describeUrl, isConnectionFailure } from "./failures.js";
import type { Link } from "./link.js";
import { openHttpLink, openLink, openPipe } from "./open-link.js";
import type { EraVerdict, RequestOptions } from "./options.js";
import type { HeaderList } from "./platform/platform.js";
import { runRequest, untilAborted } from "./run-request.js";
import type { Settings } from "./settings.js";
import type { SubscribeOptions, Subscription, SubscriptionFilter } from "./subscription.js";

/** What is ended by closing while it is being opened. */
type Closable = Pick<Link, "close">;

/** One request for a session that is open. */
export interface Call {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly options?: RequestOptions | undefined;
  readonly mirror?: HeaderList | undefined;
  /** Hears that the first answer was not the result. */
  readonly onAsked?: (() => void) | undefined;
}

/** Keeps the one session of a client: opens it when needed, once for all who need it, and again after the server ended. */
export class Connection {
  readonly #settings: Settings;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  /** The link of a session that is being opened, so that closing need not wait for it. */
  #openingLink: Closable | undefined;
  #verdict: EraVerdict | undefined;
  /** Set once the client was closed, until it is opened again. */
  #closing: Promise<void> | undefined;
  /** How often the client was closed. */
  #closes = 0;
  /** Aborts when nobody waits for a connection any more. */
  #patience = new AbortController();
  #lastId = 0;
  /** Who hears what becomes of the connection. */
  readonly companions: Set<Companion> = new Set();
  /** Written with `debug`, from the first opening on. */
  #log: DebugLog | undefined;
  /** Loads who has to hear of the first session. */
  readonly #prepare: () => Promise<void>;

  constructor(settings: Settings, prepare: () => Promise<void>) {
    this.#settings = settings;
    this.#verdict = settings.prior;
    this.#prepare = prepare;
  }

  /** What was found out about the server's era. */
  get verdict(): EraVerdict | undefined {
    return this.#verdict;
  }

  /**
   * Lets a connection be opened again that was closed, once all of the old one is gone, or whose server process has ended.
   * Rejects when it is closed anew meanwhile.
   */
  async allow(): Promise<void> {
    if (this.endedBy !== undefined) this.#session = undefined;
    if (this.#closing === undefined) return;
    const closes = this.#closes;
    await this.#closing;
    if (this.#closes !== closes) throw closedError();
    this.#closing = undefined;
    this.#patience = new AbortController();
  }

  /** The session when it can be used right away. */
  get ready(): Session | undefined {
    return this.#session?.link.closedBy === undefined ? this.#session : undefined;
  }

  /** The session, opened when needed. A caller that gives up waits no longer; the handshake goes on for the others. */
  open(signal?: AbortSignal): Promise<Session> {
    if (this.#closing !== undefined) return Promise.reject(closedError());
    const { ready } = this;
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.endedBy !== undefined) return Promise.reject(this.endedBy);
    return untilAborted(() => this.#openOnce(), signal);
  }

  /** Sends one request and waits for its result. */
  run(session: Session, call: Call): Promise<JsonObject> {
    const { timeout, onProblem } = this.#settings;
    const running = runRequest(session, { ...call, timeout, onProblem });
    this.#log?.follow(call.method, running);
    return running;
  }

  /** Opens a subscription, which lives over sessions. */
  async subscribe(filter: SubscriptionFilter, options: SubscribeOptions): Promise<Subscription> {
    const { openSubscription } = await import("./subscriptions/index.js");
    return openSubscription(filter, options, { connection: this, settings: this.#settings, readTimeLimit, Deadline });
  }

  /** Ends the session, or the opening of one. Safe to call twice. */
  close(): Promise<void> {
    this.#closes += 1;
    this.#patience.abort();
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Why the server process has ended, where it is not started again by itself. */
  get endedBy(): Error | undefined {
    const { target } = this.#settings;
    return target.kind === "process" && !target.restart ? this.#session?.link.closedBy : undefined;
  }

  async #end(): Promise<void> {
    const session = this.#session;
    const opening = this.#opening;
    const link = this.#openingLink;
    this.#session = undefined;
    this.tell((companion) => companion.onClosed?.(closedError()));
    await link?.close(closedError());
    await session?.close(closedError());
    // A process that is being started is ended as soon as it runs. A pipe of the caller's own may never start.
    if (link !== undefined || this.#settings.target.kind === "process") await opening?.catch(() => undefined);
  }

  #openOnce(): Promise<Session> {
    const { retries, target } = this.#settings;
    const isRepeated = retries !== undefined && target.kind === "http";
    this.#opening ??= (isRepeated ? this.#openPatiently(retries) : this.#openAnew()).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** A server that is busy, or not there yet, may do better in a moment. */
  async #openPatiently(retries: number): Promise<Session> {
    const { repeat } = await import("./calls/retries.js");
    const { signal } = this.#patience;
    const attempts = repeat(() => this.#openAnew(), { retries, signal, tools: { untilAborted } });
    return attempts.catch((error: unknown) => {
      throw signal.aborted ? closedError() : error;
    });
  }

  async #openAnew(): Promise<Session> {
    const { target, debug } = this.#settings;
    await this.#prepare();
    if (debug === true && this.#log === undefined) {
      const { createDebugLog } = await import("./debug-log.js");
      this.#log = createDebugLog(platform.log);
      this.companions.add(this.#log);
    }
    try {
      const { session, verdict } = await openSession({
        settings: this.#settings,
        prior: this.#verdict,
        openLink: () => this.#adopt(() => openLink(this.#settings, platform)),
        openHttpLink: (http) => this.#adopt(() => openHttpLink(http, this.#settings, platform)),
        openPipe,
        nextId: () => {
          this.#lastId += 1;
          return this.#lastId;
        },
        onNotification: (notification) => this.#notify(notification),
        onRenewed: (renewed) => this.tell((companion) => companion.onSession?.(renewed)),
      });
      this.#verdict = verdict;
      this.#session = session;
      this.tell((companion) => {
        companion.onSession?.(session);
        companion.onOpened?.(session);
      });
      return session;
    } catch (error) {
      if (target.kind !== "http" || !isConnectionFailure(error)) throw error;
      // Where what explains it cannot be loaded, the network is gone, as the failure says.
      const room = await import("./blocked.js").catch(() => undefined);
      throw (await room?.explainBlock(error, { ...target, address: describeUrl(target.url) })) ?? error;
    } finally {
      this.#openingLink = undefined;
    }
  }

  /** Takes a link that is opened for a session, so that closing ends it. */
  async #adopt<L extends Link>(open: () => Promise<L>): Promise<L> {
    if (this.#closing !== undefined) throw closedError();
    const link = await open();
    if (this.#closing !== undefined) await link.close(closedError());
    this.#openingLink = link;
    return link;
  }

  /** Tells everybody who hears what becomes of the connection. Some leave when they are told. */
  tell(hook: (companion: Companion) => void): void {
    for (const companion of [...this.companions]) hook(companion);
  }

  #notify(notification: JsonRpcNotification): void {
    this.tell((companion) => companion.onChange?.(notification));
    try {
      this.#settings.onNotification?.(notification);
    } catch (error) {
      this.#settings.onProblem(toError(error));
    }
  }
}
