import { type JsonObject, type JsonRpcNotification, type LogLevel, toError } from "@mortise/core";
import { platform } from "#platform";
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
import type { HttpTarget, Settings } from "./settings.js";
import type { SubscribeOptions, Subscription, SubscriptionFilter } from "./subscription.js";
import type { Dependent } from "./subscriptions/index.js";

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

/** Hears what may have made something stale. Must not throw. */
export interface ChangeObserver {
  /** A notification of the server, whatever it is about. */
  onChange(notification: JsonRpcNotification): void;
  /** Changes of these kinds may have been missed. */
  onGap(filter: SubscriptionFilter): void;
  /** There is a new session, or another one in the place of the last. */
  onOpened(session: Session): void;
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
  readonly #subscriptions = new Set<Dependent>();
  /** Who has to know of changes besides the one who subscribed to them. */
  observer: ChangeObserver | undefined;
  #logLevel: LogLevel | undefined;
  /** Written with `debug`, from the first opening on. */
  #log: DebugLog | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#verdict = settings.prior;
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
    if (this.#endedBy !== undefined) this.#session = undefined;
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
    if (this.#endedBy !== undefined) return Promise.reject(this.#endedBy);
    return untilAborted(() => this.#openOnce(), signal);
  }

  /** Asks for log messages from a level up, now and whenever a session is opened. Rejects when the server refuses now. */
  async setLogLevel(level: LogLevel, options: RequestOptions | undefined): Promise<void> {
    const session = await this.open(options?.signal);
    this.#logLevel = level;
    const request = session.setLogLevel(level);
    if (request !== undefined) await this.run(session, { ...request, options });
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
    const { timeout, onProblem } = this.#settings;
    return openSubscription(filter, options, {
      timeout,
      subscriptions: this.#subscriptions,
      open: (signal) => this.open(signal),
      run: (session, request, limit) => this.run(session, { ...request, options: { timeout: limit ?? 0 } }),
      endedBy: () => this.#endedBy,
      onGap: (gap) => this.observer?.onGap(gap),
      onProblem: (thrown) => onProblem(toError(thrown)),
      readTimeLimit,
      startDeadline: (limits, onExpire) => new Deadline(limits, onExpire),
    });
  }

  /** Ends the session, or the opening of one. Safe to call twice. */
  close(): Promise<void> {
    this.#closes += 1;
    this.#patience.abort();
    this.#closing ??= this.#end();
    return this.#closing;
  }

  /** Why the server process has ended, where it is not started again by itself. */
  get #endedBy(): Error | undefined {
    const { target } = this.#settings;
    return target.kind === "process" && !target.restart ? this.#session?.link.closedBy : undefined;
  }

  async #end(): Promise<void> {
    const session = this.#session;
    const opening = this.#opening;
    const link = this.#openingLink;
    this.#session = undefined;
    for (const subscription of [...this.#subscriptions]) subscription.abandon(closedError());
    await link?.close(closedError());
    await session?.close(closedError());
    // A process that is being started is ended as soon as it runs. A pipe of the caller's own may never start.
    if (link !== undefined || this.#settings.target.kind === "process") await opening?.catch(() => undefined);
    this.#log?.write("closed");
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
    const attempts = repeat(() => this.#openAnew(), { retries, totalMs: undefined, signal, tools: { untilAborted } });
    return attempts.catch((error: unknown) => {
      throw signal.aborted ? closedError() : error;
    });
  }

  async #openAnew(): Promise<Session> {
    const { target, debug } = this.#settings;
    if (debug && this.#log === undefined) {
      const { createDebugLog } = await import("./debug-log.js");
      this.#log = createDebugLog(platform.log);
    }
    try {
      const { session, verdict } = await openSession({
        settings: this.#settings,
        prior: this.#verdict,
        openLink: () => this.#openLink(),
        openSseLink: (http, limit) => this.#openSseLink(http, limit),
        nextId: () => {
          this.#lastId += 1;
          return this.#lastId;
        },
        onNotification: (notification) => this.#notify(notification),
        onRenewed: (renewed) => this.observer?.onOpened(renewed),
      });
      this.#verdict = verdict;
      this.#session = session;
      this.observer?.onOpened(session);
      this.#restoreLogLevel(session);
      for (const subscription of [...this.#subscriptions]) subscription.hurry();
      this.#log?.write(`connected: ${verdict.era} ${verdict.protocolVersion}`);
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

  async #openLink(): Promise<Link> {
    if (this.#closing !== undefined) throw closedError();
    const link = await openLink(this.#settings, platform);
    if (this.#closing !== undefined) await link.close(closedError());
    this.#openingLink = link;
    return link;
  }

  #restoreLogLevel(session: Session): void {
    const request = this.#logLevel === undefined ? undefined : session.setLogLevel(this.#logLevel);
    if (request !== undefined) this.run(session, request).catch(this.#settings.onProblem);
  }

  async #openSseLink(target: HttpTarget, timeout: number | undefined): Promise<Link> {
    if (this.#closing !== undefined) throw closedError();
    const settings = this.#settings;
    const link = await openHttpLink(target, settings, platform);
    if (this.#closing !== undefined) await link.close(closedError());
    this.#openingLink = link;
    const { openSseLink } = await import("./open-sse-link.js");
    return openSseLink({ link, settings, timeout, openPipe });
  }

  #notify(notification: JsonRpcNotification): void {
    this.observer?.onChange(notification);
    try {
      this.#settings.onNotification?.(notification);
    } catch (error) {
      this.#settings.onProblem(toError(error));
    }
  }
}
