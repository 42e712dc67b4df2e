import { type Implementation, isThenable } from "@mortise/core";
import { type Bus, createLocalBus } from "./bus.js";
import { ChangeFeed } from "./change-feed.js";
import { type ListFeature, listTopic } from "./change-notice.js";
import { InFlight } from "./in-flight.js";
import { createListPages, type ListPages } from "./list-pages.js";
import type { Middleware } from "./middleware.js";
import { readInfo, readPageSize, readSettings, type Settings } from "./read-options.js";
import type { RegisteredTool } from "./registered-tool.js";
import { Registry } from "./registry.js";
import { createSealer, type Sealer } from "./sealer.js";
import { readVersions } from "./served-versions.js";
import type { ServerOptions } from "./server-options.js";

/** Features that a server has once something of theirs was registered. */
export type FeatureName = "tools" | "prompts" | "resources" | "completions";

/** What a failure was about, for `onError`. */
export interface FailureContext {
  /** The protocol method being served, where one was. */
  readonly method?: string | undefined;
  /** The tool being run, where one was. */
  readonly name?: string | undefined;
}

/** The state that everything serving a request reads. It belongs to one `MCPServer`. */
export class ServerCore {
  readonly info: Implementation;
  readonly settings: Settings;
  /** Protocol versions that are served, the preferred first. */
  readonly versions: readonly string[];
  readonly tools: Registry<RegisteredTool>;
  /** The pages of each list. */
  readonly pages: { readonly tools: ListPages };
  readonly middleware: Middleware[] = [];
  readonly inFlight: InFlight = new InFlight();
  /** Carries news between everything that serves this server's clients. */
  readonly bus: Bus;
  /** What comes over the bus, for all that listen here. */
  readonly changes: ChangeFeed;
  /** Seals state that travels through clients. */
  readonly sealer: Sealer;
  readonly #features: Set<FeatureName>;
  /** Lists whose change is published at the end of this turn. */
  readonly #changed = new Set<ListFeature>();
  readonly #endings = new Set<() => void>();
  readonly #onError: ServerOptions["onError"];
  readonly #onWarning: NonNullable<ServerOptions["onWarning"]>;
  #closed = false;

  constructor(options: ServerOptions) {
    this.info = readInfo(options);
    this.versions = readVersions(options.protocolVersions);
    this.settings = readSettings(options);
    this.#onError = options.onError;
    this.#onWarning = options.onWarning ?? warnOnConsole;
    this.sealer = createSealer(options.state, this);
    this.bus = options.bus ?? createLocalBus();
    this.changes = new ChangeFeed(this.bus, (error) => this.report(error, {}));
    this.#features = new Set(options.tools === undefined ? [] : ["tools"]);
    this.tools = new Registry("tool", () => this.#change("tools"));
    const pageSize = readPageSize(options.pageSize);
    this.pages = { tools: createListPages(this.tools, "tools", pageSize) };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Says that the server takes no new work. */
  markClosed(): void {
    this.#closed = true;
  }

  /** Aborts what is still being worked on, and ends every pipe. */
  endAll(reason: unknown): void {
    this.inFlight.cancelAll(reason);
    for (const listener of [...this.#endings]) listener();
  }

  /** Whether a feature's methods exist. */
  offers(feature: FeatureName): boolean {
    return this.#features.has(feature) || this.tools.used;
  }

  /** Puts news on the bus. What a bus fails with goes to the server's owner. */
  publish(topic: string, data: unknown): void {
    try {
      const published = this.bus.publish(topic, data);
      if (isThenable(published)) void published.then(undefined, (error: unknown) => this.report(error, {}));
    } catch (error) {
      this.report(error, {});
    }
  }

  /** Announces that a list changed. Several changes in one turn are one announcement. */
  announce(feature: ListFeature): void {
    const scheduled = this.#changed.size > 0;
    this.#changed.add(feature);
    if (scheduled) return;
    queueMicrotask(() => {
      const changed = [...this.#changed];
      this.#changed.clear();
      if (!this.#closed) for (const each of changed) this.publish(listTopic(each), null);
    });
  }

  /** Calls back when everything ends. Returns the function that ends this. */
  onClose(listener: () => void): () => void {
    this.#endings.add(listener);
    return () => this.#endings.delete(listener);
  }

  /** Hands a failure that is not the peer's business to the server's owner. What the owner's hook throws is dropped. */
  report(error: unknown, about: FailureContext): void {
    try {
      this.#onError?.(error, about);
    } catch {
      // As a stray failure it would end the process, whenever a peer makes a handler fail.
      return;
    }
  }

  /** Tells the server's owner of something that works, but not as well as it should. */
  warn(message: string): void {
    try {
      this.#onWarning(message);
    } catch {
      return; // like what the other hook throws
    }
  }

  #change(feature: ListFeature): void {
    this.pages.tools.clear();
    this.announce(feature);
  }
}

/** Whoever gives no hook still learns of it. */
function warnOnConsole(message: string): void {
  // biome-ignore lint/suspicious/noConsole: it goes to the error output wherever there is one
  console.warn(message);
}
