import { isObject, type JsonObject, type JsonRpcNotification, MortiseError } from "@mortise/core";
import type { PendingRequest, Watch, Watching } from "../era.js";
import type { SubscriptionFilter } from "../subscription.js";
import { isEmpty, readHonored } from "../subscriptions/filter.js";
import type { SessionStream } from "./session-stream.js";
import { createWatchedResources, type WatchedResources } from "./watched-resources.js";

/** How long the stream of a session may take to begin, in milliseconds. Some servers send no head before the first event. */
const STREAM_MS = 2_000;

/** The session whose changes are watched. */
export interface WatchHost {
  capabilities(): JsonObject;
  /** Whether changes come on a stream of their own, as against a pipe. */
  readonly needsStream: boolean;
  /** The stream on which changes come, opened when there is none; `undefined` where there can be none. */
  openStream(): SessionStream | undefined;
  /** Nobody needs the stream for changes any more. */
  releaseStream(): void;
  /** Sends a request in the session that there is now, without renewing it. */
  request(request: PendingRequest): Promise<JsonObject>;
  onProblem(problem: Error): void;
}

/** Why changes are not heard of now: the stream is gone, or the session. */
interface Missing {
  readonly stream?: Error | undefined;
  readonly session?: Error | undefined;
}

interface Watcher {
  readonly watching: Watching;
  /** The resources that were asked for. */
  readonly uris: readonly string[];
  confirmed: boolean;
}

/**
 * Who watches changes in one legacy session: all share its stream, and each address is subscribed to once.
 */
export class Watches {
  readonly #host: WatchHost;
  readonly #watchers = new Set<Watcher>();
  readonly #resources: WatchedResources;
  readonly #waiters = new Set<() => void>();
  #missing: Missing = {};
  /** Counts sessions, so that what restores a lost one knows when it is late. */
  #session = 0;

  constructor(host: WatchHost) {
    this.#host = host;
    this.#resources = createWatchedResources(host.onProblem);
  }

  /** Begins to hear of changes. Rejects with `not_offered`, and as the requests do. */
  async add(watching: Watching): Promise<Watch> {
    const honored = selectHonored(watching.filter, this.#host.capabilities());
    if (isEmpty(honored))
      throw new MortiseError("not_offered", "The server does not tell of anything that was asked for");
    const uris = honored.resourceSubscriptions ?? [];
    const watcher: Watcher = { watching, uris, confirmed: false };
    // From now on: the first change may come together with the confirmation.
    this.#watchers.add(watcher);
    const acquired = Promise.all([this.#openStream(), this.#resources.acquire(uris, watching.request)]);
    try {
      await untilAborted(acquired, watching.signal);
    } catch (error) {
      this.#watchers.delete(watcher);
      const release = (): Promise<void> => this.#release(watcher);
      void acquired.then(release, release);
      throw error;
    }
    watcher.confirmed = true;
    let closing: Promise<void> | undefined;
    return {
      honored,
      close: () => {
        this.#watchers.delete(watcher);
        closing ??= this.#release(watcher);
        return closing;
      },
    };
  }

  /** Takes a notification of the session. */
  notice(notification: JsonRpcNotification): void {
    for (const { watching } of [...this.#watchers]) watching.onNotification(notification);
  }

  /** The session is gone, and another one is being opened. */
  lose(reason: Error): void {
    this.#session += 1;
    this.#change({ session: reason, stream: undefined });
  }

  /** There is a session again, which knows nothing of what the lost one was told. */
  async restore(): Promise<void> {
    const session = this.#session;
    try {
      if (this.#watchers.size > 0)
        await Promise.all([this.#openStream(), this.#resources.restore((request) => this.#host.request(request))]);
      if (session === this.#session) this.#change({ session: undefined });
    } catch (error) {
      if (session === this.#session) this.end(error as Error); // requests and streams fail with nothing else
    }
  }

  /** The session is over, and nothing takes its place. */
  end(reason: Error): void {
    this.#resources.forget();
    for (const { watching } of this.#dismiss()) watching.onEnd(reason);
  }

  /** The session goes on, and does not tell of changes any more. */
  #endStream(reason: Error): void {
    for (const watcher of this.#dismiss()) {
      void this.#release(watcher);
      watcher.watching.onEnd(reason);
    }
  }

  #dismiss(): readonly Watcher[] {
    const confirmed = [...this.#watchers].filter((watcher) => watcher.confirmed);
    for (const watcher of confirmed) this.#watchers.delete(watcher);
    this.#missing = {};
    if (this.#watchers.size === 0) this.#host.releaseStream();
    return confirmed;
  }

  /** Waits for the stream of the session, which some servers begin late. Rejects when there is none. */
  async #openStream(): Promise<void> {
    if (!this.#host.needsStream) return;
    const stream = this.#host.openStream();
    if (stream === undefined) throw noStream();
    stream.onStatus = () => this.#followStream(stream);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => settle(resolve), STREAM_MS);
      const settle = (settled: () => void): void => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        settled();
      };
      const look = (): void => {
        const { status, reason } = stream;
        if (status === "open") settle(resolve);
        else if (status !== "opening") settle(() => reject(reason));
      };
      this.#waiters.add(look);
      look();
    });
  }

  #followStream({ status, reason }: SessionStream): void {
    for (const look of [...this.#waiters]) look();
    if (status === "stopped" && reason !== undefined) this.#endStream(reason);
    else this.#change({ stream: status === "lost" ? reason : undefined });
  }

  /** Tells of a loss once, and of its end when nothing is missing any more. */
  #change(missing: Missing): void {
    const wasLost = this.#missing.stream ?? this.#missing.session;
    this.#missing = { ...this.#missing, ...missing };
    const lost = this.#missing.stream ?? this.#missing.session;
    if ((wasLost === undefined) === (lost === undefined)) return;
    for (const { watching, confirmed } of [...this.#watchers]) {
      if (!confirmed) continue;
      if (lost === undefined) watching.onRestored();
      else watching.onLost(lost);
    }
  }

  async #release({ uris, watching }: Watcher): Promise<void> {
    if (this.#watchers.size === 0) this.#host.releaseStream();
    await this.#resources.release(uris, watching.request);
  }
}

/** A legacy server says what it tells of when it is connected to. */
function selectHonored(filter: SubscriptionFilter, capabilities: JsonObject): SubscriptionFilter {
  const can = (feature: string, ability: string): boolean => {
    const abilities = capabilities[feature];
    return isObject(abilities) && abilities[ability] === true;
  };
  return readHonored(filter, {
    toolsListChanged: can("tools", "listChanged"),
    promptsListChanged: can("prompts", "listChanged"),
    resourcesListChanged: can("resources", "listChanged"),
    resourceSubscriptions: can("resources", "subscribe") ? filter.resourceSubscriptions : [],
  });
}

function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function noStream(): MortiseError {
  return new MortiseError("not_offered", "The server cannot be asked for a stream of changes with so few headers");
}
