import {
  BYTES,
  COUNT,
  describeType,
  FLAG,
  HOOK,
  type Implementation,
  invalidOptions,
  isObject,
  type JsonObject,
  LIST,
  MEMBERS,
  type OptionRule,
  type PipeTransport,
  readImplementation,
} from "@mortise/core";
import type { Authorizer } from "./authorizer.js";
import type { CacheOptions } from "./cache/cache-options.js";
import { readTimeLimit } from "./deadline.js";
import type { Identity } from "./era.js";
import type { ClientExtension } from "./extension.js";
import { type ConfiguredHeaders, readHeaders } from "./header-list.js";
import type {
  ClientOptions,
  CommandOptions,
  CommonOptions,
  EraChoice,
  EraVerdict,
  HttpOptions,
  PipeOptions,
} from "./options.js";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_PROBE_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const DEFAULT_CLIENT_INFO: Implementation = { name: "mortise", version: "0.1.0" };

const HTTP_TRANSPORTS: ReadonlySet<unknown> = new Set(["auto", "streamable-http", "sse"]);

const DEFAULT_INPUT_ROUNDS = 8;
/** Options that answer what a server asks. */
const ANSWERERS = ["onElicit", "onSample", "onRoots"] as const;
/** Options that hear what a server says unasked. */
const LISTENERS = ["onNotification", ...ANSWERERS] as const;
/** Options of the cache that are numbers. */
const CACHE_NUMBERS = ["maxEntries", "maxBytes", "legacyTtl", "staleIfError"] as const;

type Abilities = Pick<Identity, "describe" | "findMirrored">;

const TRANSPORT_METHODS = ["start", "send", "close"] as const;

/** What single options have to be. Those that are read to something else are judged by what reads them. */
const RULES: Readonly<Record<string, OptionRule>> = {
  maxMessageBytes: BYTES,
  onError: HOOK,
  trace: HOOK,
  onNotification: HOOK,
  onElicit: HOOK,
  onSample: HOOK,
  onRoots: HOOK,
  fetch: HOOK,
  validateOutput: ["a function or false", (value) => value === false || isFunction(value)],
  prior: ['the "verdict" of a client', isObject],
  capabilities: MEMBERS,
  clientInfo: ['an object with a "name" and a "version"', (value) => readImplementation(value) !== undefined],
  maxInputRounds: COUNT,
  retries: COUNT,
  cache: ["an object or false", (value) => value === false || isObject(value)],
  auth: ['an object with "authorize"', (value) => isObject(value) && isFunction(value.authorize)],
  args: LIST,
  restart: FLAG,
};

/** How the server is reached. */
export type Target =
  | HttpTarget
  | { readonly kind: "process"; readonly command: CommandOptions; readonly restart: boolean }
  | { readonly kind: "pipe"; readonly transport: PipeTransport };

/** A server reached over HTTP. */
export interface HttpTarget {
  readonly kind: "http";
  readonly url: URL;
  readonly headers: ConfiguredHeaders;
  readonly auth: Authorizer | undefined;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly transport: NonNullable<HttpOptions["transport"]>;
}

/** The options of a client, checked and complete. */
export interface Settings {
  readonly target: Target;
  readonly identity: Identity;
  /** The same as those of the identity; grows. */
  readonly extensions: Map<string, ClientExtension>;
  readonly timeout: number | undefined;
  readonly probeTimeout: number | undefined;
  readonly era: EraChoice;
  readonly maxMessageBytes: number;
  readonly minimalHeaders: boolean;
  readonly listen: boolean;
  readonly prior: EraVerdict | undefined;
  readonly debug: boolean;
  readonly onNotification: CommonOptions["onNotification"];
  readonly validateOutput: CommonOptions["validateOutput"];
  readonly cache: false | CacheOptions;
  readonly retries: number | undefined;
  readonly trace: CommonOptions["trace"];
  /** Reports what fails no call. Never throws. */
  onProblem(problem: Error): void;
}

/** Reads what a client was constructed with. Throws `invalid_options`. */
export function readSettings(input: string | URL | ClientOptions): Settings {
  const options: ClientOptions = typeof input === "string" || input instanceof URL ? { url: input } : input;
  if (!isObject(options)) throw invalidOptions('an address, or an object with "url", "command" or "transport"');
  const {
    timeout = DEFAULT_TIMEOUT_MS,
    probeTimeout = DEFAULT_PROBE_TIMEOUT_MS,
    maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES,
    era = "auto",
  } = options;
  // Any option may be there, also one of another way to reach a server.
  for (const [name, rule] of Object.entries(RULES)) expectOption(name, (options as JsonObject)[name], rule);
  const extensions: Settings["extensions"] = new Map();
  return {
    target: readTarget(options, maxMessageBytes),
    identity: {
      clientInfo: options.clientInfo ?? DEFAULT_CLIENT_INFO,
      ...readAbilities(options, extensions),
      handlers: options,
      extensions,
      maxInputRounds: options.maxInputRounds ?? DEFAULT_INPUT_ROUNDS,
    },
    extensions,
    timeout: readTimeLimit("timeout", timeout),
    probeTimeout: readTimeLimit("probeTimeout", probeTimeout),
    era: readEra(era),
    maxMessageBytes,
    minimalHeaders: isHttp(options) && options.minimalHeaders === true,
    listen: isHttp(options) && (options.listen ?? LISTENERS.some((name) => options[name] !== undefined)),
    prior: options.prior,
    debug: options.debug === true,
    onNotification: options.onNotification,
    validateOutput: options.validateOutput,
    cache: readCache(options.cache),
    retries: options.retries,
    trace: options.trace,
    onProblem(problem) {
      try {
        options.onError?.(problem);
      } catch {
        // A reporter that fails must not take down what it reports on, and there is nobody left to tell.
        return;
      }
    },
  };
}

function readTarget(options: ClientOptions, maxMessageBytes: number): Target {
  if (isHttp(options)) return readHttpTarget(options);
  if (isPipe(options)) return { kind: "pipe", transport: readTransport(options.transport) };
  const { command, args, env, cwd, stderr, onOversize, closeTimeout, restart = false } = options;
  if (typeof command !== "string" || command === "")
    throw invalidOptions('"url", "command" or "transport", which tell where the server is');
  return {
    kind: "process",
    command: { command, args, env, cwd, stderr, onOversize, closeTimeout, maxMessageBytes },
    restart,
  };
}

function readTransport(transport: PipeTransport): PipeTransport {
  if (!isObject(transport) || !TRANSPORT_METHODS.every((name) => isFunction(transport[name])))
    throw invalidOptions(`"transport" to be an object with ${TRANSPORT_METHODS.join(", ")}`);
  return transport;
}

function readHttpTarget({ url: input, headers, auth, fetch, transport = "auto" }: HttpOptions): Target {
  if (!HTTP_TRANSPORTS.has(transport))
    throw invalidOptions(`"transport" to be one of ${[...HTTP_TRANSPORTS].join(", ")}`);
  const text = String(input);
  if (!URL.canParse(text)) throw invalidOptions('"url" to be an absolute http: or https: address');
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidOptions(`"url" to be an http: or https: address, received ${url.protocol}`);
  const login = readLogin(url);
  url.username = "";
  url.password = "";
  url.hash = "";
  const configured = readHeaders(headers);
  const list =
    login === undefined || configured.list.includes("authorization")
      ? configured.list
      : [...configured.list, "authorization", login];
  const secrets = [...configured.secrets, ...(login === undefined ? [] : [login]), ...listQueryValues(url)];
  return { kind: "http", url, headers: { ...configured, list, secrets }, auth, fetch, transport };
}

/** User and password in an address become what they mean: basic authentication. */
function readLogin(url: URL): string | undefined {
  if (url.username === "" && url.password === "") return undefined;
  const bytes = new TextEncoder().encode(`${decodeLogin(url.username)}:${decodeLogin(url.password)}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

function decodeLogin(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw invalidOptions('user and password in "url" to be percent-encoded: "%25" stands for a percent sign', cause);
  }
}

function listQueryValues(url: URL): string[] {
  return [...url.searchParams.values()].filter((value) => value.length >= 8);
}

function readEra(era: unknown): EraChoice {
  if (era === "auto" || era === "legacy" || era === "modern") return era;
  if (isObject(era) && typeof era.pin === "string") return { pin: era.pin };
  throw invalidOptions('"era" to be "auto", "legacy", "modern" or { pin: version }');
}

/** What a client can do: as configured, until there are handlers or extensions, which take a closer look. */
function readAbilities(
  { capabilities = {}, ...handlers }: ClientOptions,
  extensions: Settings["extensions"],
): Pick<Identity, "answers" | "prepare" | "describe" | "findMirrored"> {
  const answers = ANSWERERS.some((name) => handlers[name] !== undefined);
  let abilities: Abilities | undefined;
  const load = async (): Promise<void> => {
    const { describeAbilities, findMirrored } = await import("./capabilities.js");
    abilities = {
      describe: (revision) => describeAbilities({ capabilities, handlers, extensions }, revision),
      findMirrored: (method) => findMirrored(method, extensions),
    };
  };
  return {
    answers,
    prepare: () => (answers || extensions.size > 0 ? load() : undefined),
    describe: (revision) => abilities?.describe(revision) ?? capabilities,
    findMirrored: (method) => abilities?.findMirrored(method),
  };
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function readCache(cache: CommonOptions["cache"] = {}): Settings["cache"] {
  if (cache === false) return false;
  if ("clear" in cache) return { store: cache };
  for (const name of CACHE_NUMBERS) expectOption(`cache.${name}`, cache[name], COUNT);
  return cache;
}

function expectOption(name: string, value: unknown, [expected, holds]: OptionRule): void {
  if (value === undefined || holds(value)) return;
  throw invalidOptions(`"${name}" to be ${expected}, received ${describeType(value)}`);
}

function isHttp(options: ClientOptions): options is HttpOptions {
  return "url" in options && options.url !== undefined;
}

function isPipe(options: ClientOptions): options is PipeOptions {
  return "transport" in options && options.transport !== undefined;
}
