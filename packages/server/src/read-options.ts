import { type Implementation, isObject, MortiseError } from "@mortise/core";
import { expectOption, readDisplay } from "./check-options.js";
import type { CacheHint, ServerOptions } from "./server-options.js";

/** Settings with every default filled in. */
export interface Settings {
  readonly instructions: string | undefined;
  readonly stampServerInfo: boolean;
  readonly invalidArguments: "result" | "protocol-error";
  readonly modernPing: boolean;
  /** On which revisions a handler runs again with the answers to its questions, instead of waiting for them. */
  readonly replay: "modern" | "always";
  /** How long a legacy client may take for an answer, in milliseconds. */
  readonly askTimeout: number;
  /** How many entries a page holds; may be `Infinity`. */
  readonly pageSize: number;
  readonly cache: Readonly<Record<CacheName, CacheHint>>;
}

/** Results that say how long they may be kept. */
export type CacheName = (typeof CACHE_NAMES)[number];

const CACHE_NAMES = ["discover", "tools", "prompts", "resources", "templates", "read"] as const;
const ASK_TIMEOUT_MS = 600_000;
const DEFAULT_CACHE: CacheHint = { ttlMs: 60_000, scope: "public" };

/** Every option there is. A slip in a name would do nothing, and nobody would notice. */
const KNOWN: Readonly<Record<keyof ServerOptions, 1>> = {
  name: 1,
  version: 1,
  title: 1,
  description: 1,
  websiteUrl: 1,
  icons: 1,
  instructions: 1,
  prompts: 1,
  resources: 1,
  tools: 1,
  protocolVersions: 1,
  pageSize: 1,
  cache: 1,
  stampServerInfo: 1,
  invalidArguments: 1,
  state: 1,
  replay: 1,
  askTimeout: 1,
  bus: 1,
  lenient: 1,
  onError: 1,
  onWarning: 1,
};

/** Who the server says it is. Throws `invalid_options`. */
export function readInfo(options: ServerOptions): Implementation {
  expectOption(isObject(options), "the options of a server", 'an object with "name" and "version"', options);
  refuseUnknown(options, KNOWN, "");
  const { name, version, onError, onWarning, tools, prompts, resources, bus } = options;
  expectOption(typeof name === "string" && name !== "", '"name"', "a string with at least one character", name);
  expectOption(
    typeof version === "string" && version !== "",
    '"version"',
    "a string with at least one character",
    version,
  );
  expectOption(onError === undefined || typeof onError === "function", '"onError"', "a function", onError);
  expectOption(onWarning === undefined || typeof onWarning === "function", '"onWarning"', "a function", onWarning);
  expectOption(bus === undefined || isBus(bus), '"bus"', 'an object with "publish" and "subscribe"', bus);
  expectOption(tools === undefined || Array.isArray(tools), '"tools"', "an array", tools);
  expectOption(prompts === undefined || Array.isArray(prompts), '"prompts"', "an array", prompts);
  expectOption(resources === undefined || Array.isArray(resources), '"resources"', "an array", resources);
  return {
    name,
    version,
    ...readDisplay(options, "title", "string"),
    ...readDisplay(options, "description", "string"),
    ...readDisplay(options, "websiteUrl", "string"),
    ...readDisplay(options, "icons", "icons"),
  };
}

function refuseUnknown(options: object, known: object, prefix: string): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name))
      throw new MortiseError(
        "invalid_options",
        `Unknown option "${prefix}${name}"; known are ${Object.keys(known).join(", ")}`,
      );
  }
}

function readPageSize(pageSize: number = Number.POSITIVE_INFINITY): number {
  const holds = pageSize === Number.POSITIVE_INFINITY || (Number.isInteger(pageSize) && pageSize > 0);
  expectOption(holds, '"pageSize"', "a positive integer", pageSize);
  return pageSize;
}

/** Settings with every default filled in. Throws `invalid_options`. */
export function readSettings(options: ServerOptions): Settings {
  const { instructions, stampServerInfo = true, invalidArguments = "result", lenient = {}, cache } = options;
  readDisplay(options, "instructions", "string");
  readDisplay(options, "stampServerInfo", "boolean");
  const isChoice = invalidArguments === "result" || invalidArguments === "protocol-error";
  expectOption(isChoice, '"invalidArguments"', '"result" or "protocol-error"', invalidArguments);
  expectOption(isObject(lenient), '"lenient"', "an object", lenient);
  refuseUnknown(lenient, { modernPing: 1 }, "lenient.");
  readDisplay(lenient, "modernPing", "boolean");
  return {
    instructions,
    stampServerInfo,
    invalidArguments,
    modernPing: lenient.modernPing ?? false,
    ...readAsking(options),
    pageSize: readPageSize(options.pageSize),
    cache: readCaches(cache),
  };
}

function readAsking({
  replay = "modern",
  askTimeout = ASK_TIMEOUT_MS,
}: ServerOptions): Pick<Settings, "replay" | "askTimeout"> {
  expectOption(replay === "modern" || replay === "always", '"replay"', '"modern" or "always"', replay);
  const holds = typeof askTimeout === "number" && askTimeout > 0;
  expectOption(holds, '"askTimeout"', "a positive number of milliseconds", askTimeout);
  return { replay, askTimeout };
}

function readCaches(caches: ServerOptions["cache"] = {}): Settings["cache"] {
  expectOption(isObject(caches), '"cache"', "an object", caches);
  const names: readonly string[] = CACHE_NAMES;
  const unknown = Object.keys(caches).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new MortiseError("invalid_options", `Expected "cache" to hold ${names.join(", ")}, received "${unknown}"`);
  const hints = CACHE_NAMES.map((name) => [name, readCache(caches[name], `cache.${name}`)]);
  return Object.fromEntries(hints) as Settings["cache"]; // one for each name
}

/** A cache hint with its defaults filled in. `member` is the option's name, `owner` whose it is. Throws `invalid_options`. */
export function readCache(hint: Partial<CacheHint> | undefined, member: string, owner = ""): CacheHint {
  expectOption(hint === undefined || isObject(hint), `"${member}"${owner}`, 'an object with "ttlMs" and "scope"', hint);
  const { ttlMs, scope } = { ...DEFAULT_CACHE, ...hint };
  const isTime = Number.isSafeInteger(ttlMs) && ttlMs >= 0;
  expectOption(isTime, `"${member}.ttlMs"${owner}`, "a whole number of milliseconds, 0 or more", ttlMs);
  const isScope = scope === "public" || scope === "private";
  expectOption(isScope, `"${member}.scope"${owner}`, '"public" or "private"', scope);
  return { ttlMs, scope };
}

function isBus(bus: unknown): boolean {
  return isObject(bus) && typeof bus.publish === "function" && typeof bus.subscribe === "function";
}
