import type { Implementation } from "@mortise/core";
import { type Bus, createLocalBus } from "./bus.js";
import { ChangeFeed } from "./change-feed.js";
import { type ListFeature, listTopic } from "./change-notice.js";
import { Extensions } from "./extensions.js";
import type { FeatureName } from "./features.js";
import { InFlight } from "./in-flight.js";
import { createListPages, type ListPages } from "./list-pages.js";
import type { Middleware } from "./middleware.js";
import { readInfo, readSettings, type Settings } from "./read-options.js";
import type { RegisteredPrompt } from "./registered-prompt.js";
import type { RegisteredResource } from "./registered-resource.js";
import type { RegisteredTool } from "./registered-tool.js";
import { Registry } from "./registry.js";
import { createSealer, type Sealer } from "./sealer.js";
import { readVersions } from "./served-versions.js";
import type { ServerOptions } from "./server-options.js";

/** What a failure was about, for `onError`. */
export interface FailureContext {
  /** The protocol method being served, where one was. */
  readonly method?: string | undefined;
  /** The tool, prompt or resource it was about, where there was one. */
  readonly name?: string | undefined;
}

/** The state that everything serving a request reads. It belongs to one `MCPServer`. */
export class ServerCore {
  readonly info: Implementation;
  readonly settings: Settings;
  /** Protocol versions that are served, the preferred first. */
  readonly versions: readonly string[];
  readonly tools: Registry<RegisteredTool>;
  readonly prompts: Registry<RegisteredPrompt>;
  readonly resources: Registry<RegisteredResource>;
  readonly templates: Registry<RegisteredResource>;
  /** The pages of each list. */
  readonly pages: Readonly<Record<"tools" | "prompts" | "resources" | "templates", ListPages>>;
  readonly middleware: Middleware[] = [];
  readonly extensions: Extensions = new Extensions();
  readonly inFlight: InFlight = new InFlight();
  /** Carries news between everything that serves this server's clients. */
  readonly bus: Bus;
  /** This end of it: for everything here that publishes or listens. */
  readonly changes: ChangeFeed;
  /** Seals state that travels through clients. */
  readonly sealer: Sealer;
  readonly #features: Set<FeatureName>;
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
    this.#features = new Set(
      (["tools", "prompts", "resources"] as const).filter((feature) => options[feature] !== undefined),
    );
    this.tools = new Registry("tool", () => this.#change("tools"));
    const { pageSize } = this.settings;
    this.prompts = new Registry("prompt", () => this.#change("prompts"));
    this.resources = new Registry("resource", () => this.#change("resources"));
    this.templates = new Registry("template", () => this.#change("resources", "templates"));
    this.pages = {
      tools: createListPages(this.tools, "tools", pageSize),
      prompts: createListPages(this.prompts, "prompts", pageSize),
      resources: createListPages(this.resources, "resources", pageSize),
      templates: createListPages(this.templates, "resourceTemplates", pageSize),
    };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Says that the server takes no new work. */
  markClosed(): void {
    this.#closed = true;
    this.changes.flush();
  }

  /** Aborts what is still being worked on, and ends every pipe. */
  endAll(reason: unknown): void {
    this.inFlight.cancelAll(reason);
    for (const listener of [...this.#endings]) listener();
  }

  /** Whether a feature's methods exist. */
  offers(feature: FeatureName): boolean {
    return this.#features.has(feature);
  }

  /** Says that a feature's methods exist from now on. */
  turnOn(feature: FeatureName): void {
    this.#features.add(feature);
  }

  /** Puts news on the bus. What a bus fails with goes to the server's owner. */
  publish(topic: string, data: unknown): void {
    this.changes.publish(topic, data);
  }

  /** Announces that a list changed. Several changes in one turn are one announcement. */
  announce(feature: ListFeature): void {
    if (!this.#closed) this.changes.announce(listTopic(feature));
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

  #change(feature: ListFeature, list: keyof ServerCore["pages"] = feature): void {
    this.turnOn(feature);
    this.pages[list].clear();
    this.announce(feature);
  }
}

/** Whoever gives no hook still learns of it. */
function warnOnConsole(message: string): void {
  // biome-ignore lint/suspicious/noConsole: it goes to the error output wherever there is one
  console.warn(message);
}
