import { type Implementation, REVISIONS, type Revision } from "@mortise/core";
import { InFlight } from "./in-flight.js";
import { createListPages, type ListPages } from "./list-pages.js";
import type { Middleware } from "./middleware.js";
import { chooseAssumed, readInfo, readPageSize, readSettings, readVersions, type Settings } from "./read-options.js";
import type { RegisteredTool } from "./registered-tool.js";
import { Registry } from "./registry.js";
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
  /** Protocol versions that are served, newest first. */
  readonly versions: readonly string[];
  /** What a request speaks that has headers, but none for the version. */
  readonly assumed: Revision;
  readonly tools: Registry<RegisteredTool>;
  /** The pages of each list. */
  readonly pages: { readonly tools: ListPages };
  readonly middleware: Middleware[] = [];
  readonly inFlight: InFlight = new InFlight();
  readonly #features: Set<FeatureName>;
  readonly #changes = new Set<(feature: FeatureName) => void>();
  readonly #endings = new Set<() => void>();
  readonly #onError: ServerOptions["onError"];
  readonly #onWarning: NonNullable<ServerOptions["onWarning"]>;
  #closed = false;

  constructor(options: ServerOptions) {
    this.info = readInfo(options);
    this.versions = readVersions(options.protocolVersions);
    this.assumed = chooseAssumed(this.versions);
    this.settings = readSettings(options);
    this.#onError = options.onError;
    this.#onWarning = options.onWarning ?? warnOnConsole;
    this.#features = new Set(options.tools === undefined ? [] : ["tools"]);
    this.tools = new Registry("tool", () => this.#announce("tools"));
    const pageSize = readPageSize(options.pageSize);
    this.pages = { tools: createListPages(this.tools, "tools", pageSize) };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Says that the server takes no new work. */
  markClosed(): void {
    this.#closed = true;
    this.#changes.clear();
  }

  /** Aborts what is still being worked on, and ends every pipe. */
  endAll(reason: unknown): void {
    this.inFlight.cancelAll(reason);
    for (const listener of [...this.#endings]) listener();
  }

  /** Whether a version is served. */
  supports(version: string): boolean {
    return this.versions.includes(version);
  }

  /** The newest version served of an era, or `undefined` where none is. */
  newest(era: Revision["era"]): Revision | undefined {
    return this.versions.map((version) => REVISIONS.get(version)).find((revision) => revision?.era === era);
  }

  /** Whether a feature's methods exist. */
  offers(feature: FeatureName): boolean {
    return this.#features.has(feature) || this.tools.used;
  }

  /** Calls back whenever a feature's list changed. Returns the function that ends this. */
  onChange(listener: (feature: FeatureName) => void): () => void {
    this.#changes.add(listener);
    return () => this.#changes.delete(listener);
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

  #announce(feature: FeatureName): void {
    this.pages.tools.clear();
    for (const listener of this.#changes) listener(feature);
  }
}

/** Whoever gives no hook still learns of it. */
function warnOnConsole(message: string): void {
  // biome-ignore lint/suspicious/noConsole: it goes to the error output wherever there is one
  console.warn(message);
}
