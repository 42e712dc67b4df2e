import {
  ASSUMED_PROTOCOL_VERSION,
  type Implementation,
  isObject,
  MortiseError,
  REVISIONS,
  type Revision,
  revisionOf,
} from "@mortise/core";
import { expectOption, readDisplay } from "./check-options.js";
import { InFlight } from "./in-flight.js";
import { createListPages, type ListPages } from "./list-pages.js";
import type { Middleware } from "./middleware.js";
import type { RegisteredTool } from "./registered-tool.js";
import { Registry } from "./registry.js";
import type { CacheHint, ServerOptions } from "./server-options.js";

/** Features that a server has once something of theirs was registered. */
export type FeatureName = "tools";

/** What a failure was about, for `onError`. */
export interface FailureContext {
  /** The protocol method being served, where one was. */
  readonly method?: string | undefined;
  /** The tool being run, where one was. */
  readonly name?: string | undefined;
}

/** Settings with every default filled in. */
export interface Settings {
  readonly instructions: string | undefined;
  readonly stampServerInfo: boolean;
  readonly invalidArguments: "result" | "protocol-error";
  readonly modernPing: boolean;
  readonly cache: { readonly discover: CacheHint; readonly tools: CacheHint };
}

const DEFAULT_CACHE: CacheHint = { ttlMs: 60_000, scope: "public" };

/** The state that everything serving a request reads. It belongs to one `MCPServer`. */
export class ServerCore {
  readonly info: Implementation;
  readonly settings: Settings;
  /** Protocol versions that are served, newest first. */
  readonly versions: readonly string[];
  /** What a request speaks that has headers, but none for the version. */
  readonly assumed: Revision;
  readonly tools: Registry<RegisteredTool>;
  readonly toolPages: ListPages;
  readonly middleware: Middleware[] = [];
  readonly inFlight: InFlight = new InFlight();
  readonly #features: Set<FeatureName>;
  readonly #changes = new Set<(feature: FeatureName) => void>();
  readonly #endings = new Set<() => void>();
  readonly #onError: ServerOptions["onError"];
  #closed = false;

  constructor(options: ServerOptions) {
    this.info = readInfo(options);
    this.versions = readVersions(options.protocolVersions);
    this.assumed = chooseAssumed(this.versions);
    this.settings = readSettings(options);
    this.#onError = options.onError;
    this.#features = new Set(options.tools === undefined ? [] : ["tools"]);
    this.tools = new Registry("tool", () => this.#announce("tools"));
    this.toolPages = createListPages(this.tools, "tools", readPageSize(options.pageSize));
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

  #announce(feature: FeatureName): void {
    this.toolPages.clear();
    for (const listener of this.#changes) listener(feature);
  }
}

function readInfo(options: ServerOptions): Implementation {
  expectOption(isObject(options), "the options of a server", 'an object with "name" and "version"', options);
  const { name, version, onError, tools } = options;
  expectOption(typeof name === "string" && name !== "", '"name"', "a string with at least one character", name);
  expectOption(
    typeof version === "string" && version !== "",
    '"version"',
    "a string with at least one character",
    version,
  );
  expectOption(onError === undefined || typeof onError === "function", '"onError"', "a function", onError);
  expectOption(tools === undefined || Array.isArray(tools), '"tools"', "an array", tools);
  return {
    name,
    version,
    ...readDisplay(options, "title", "string"),
    ...readDisplay(options, "description", "string"),
    ...readDisplay(options, "websiteUrl", "string"),
    ...readDisplay(options, "icons", "icons"),
  };
}

/**
 * The newest served revision whose clients send no version header; the one that the specification names where none is
 * served. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
 */
function chooseAssumed(versions: readonly string[]): Revision {
  const known = versions.map((version) => REVISIONS.get(version));
  return known.find((revision) => revision?.versionHeader === false) ?? revisionOf(ASSUMED_PROTOCOL_VERSION);
}

function readVersions(versions: readonly string[] | undefined): readonly string[] {
  if (versions === undefined) return [...REVISIONS.keys()];
  if (!Array.isArray(versions) || versions.length === 0 || !versions.every((version) => REVISIONS.has(version))) {
    throw new MortiseError(
      "invalid_options",
      `Expected "protocolVersions" to hold some of ${[...REVISIONS.keys()].join(", ")}`,
    );
  }
  return [...new Set(versions)].sort().reverse();
}

function readPageSize(pageSize: number | undefined): number {
  if (pageSize === undefined) return Number.POSITIVE_INFINITY;
  if (!Number.isInteger(pageSize) || pageSize < 1)
    throw new MortiseError("invalid_options", 'Expected "pageSize" to be a positive integer');
  return pageSize;
}

function readSettings(options: ServerOptions): Settings {
  const { instructions, stampServerInfo = true, invalidArguments = "result", lenient, cache } = options;
  readDisplay(options, "instructions", "string");
  return {
    instructions,
    stampServerInfo,
    invalidArguments,
    modernPing: lenient?.modernPing ?? false,
    cache: { discover: readCache(cache?.discover, "discover"), tools: readCache(cache?.tools, "tools") },
  };
}

function readCache(hint: Partial<CacheHint> | undefined, name: string): CacheHint {
  const { ttlMs, scope } = { ...DEFAULT_CACHE, ...hint };
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0)
    throw new MortiseError(
      "invalid_options",
      `Expected "cache.${name}.ttlMs" to be a number of milliseconds, 0 or more`,
    );
  if (scope !== "public" && scope !== "private")
    throw new MortiseError("invalid_options", `Expected "cache.${name}.scope" to be "public" or "private"`);
  return { ttlMs, scope };
}
