import {
  BYTES,
  COUNT,
  FLAG,
  HOOK,
  type Implementation,
  invalidOptions,
  isObject,
  LIST,
  MEMBERS,
  type PipeTransport,
  readImplementation,
} from "@mortise/core";
import type { Authorizer } from "./authorizer.js";
import type { CacheOptions } from "./cache/cache-options.js";
import { checkMembers, type Rules } from "./check-members.js";
import { readTimeLimit } from "./deadline.js";
import type { Identity } from "./era.js";
import type { ClientExtension } from "./extension.js";
import { type ConfiguredHeaders, readHeaders } from "./header-list.js";
import type { ClientOptions, CommandOptions, CommonOptions, EraChoice, HttpOptions, PipeOptions } from "./options.js";

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_PROBE_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const DEFAULT_CLIENT_INFO: Implementation = { name: "mortise", version: "0.1.0" };

const DEFAULT_INPUT_ROUNDS = 8;
/** Options that answer what a server asks. */
const ANSWERERS = ["onElicit", "onSample", "onRoots"] as const;
/** Options that hear what a server says unasked. */
const LISTENERS = ["onNotification", ...ANSWERERS] as const;

const RULES: Rules = {
  maxMessageBytes: BYTES,
  onError: HOOK,
  trace: HOOK,
  onNotification: HOOK,
  onElicit: HOOK,
  onSample: HOOK,
  onRoots: HOOK,
  fetch: HOOK,
  validateOutput: ["a function or false", (value) => value === false || isFunction(value)],
  prior: MEMBERS,
  capabilities: MEMBERS,
  clientInfo: ['an object with a "name" and a "version"', (value) => readImplementation(value) !== undefined],
  maxInputRounds: COUNT,
  retries: COUNT,
  cache: ["an object or false", (value) => value === false || isObject(value)],
  auth: ['an object with "authorize"', (value) => isObject(value) && isFunction(value.authorize)],
  args: LIST,
  restart: FLAG,
  era: [
    '"auto", "legacy", "modern" or { pin: version }',
    (era) => era === "auto" || era === "legacy" || era === "modern" || (isObject(era) && typeof era.pin === "string"),
  ],
};
const CACHE_RULES: Rules = { maxEntries: COUNT, maxBytes: COUNT, legacyTtl: COUNT, staleIfError: COUNT };
const HTTP_RULES: Rules = {
  transport: [
    '"auto", "streamable-http" or "sse"',
    (transport) => transport === "auto" || transport === "streamable-http" || transport === "sse",
  ],
};
const PIPE_RULES: Rules = {
  transport: [
    'an object with "start", "send" and "close"',
    (pipe) => isObject(pipe) && isFunction(pipe.start) && isFunction(pipe.send) && isFunction(pipe.close),
  ],
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
export interface Settings
  extends Pick<CommonOptions, "prior" | "debug" | "onNotification" | "validateOutput" | "retries" | "trace"> {
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
  readonly cache: false | CacheOptions;
  /** Reports what fails no call. Never throws. */
  onProblem(problem: Error): void;
}

/** Reads what a client was constructed with. Throws `invalid_options`. */
export function readSettings(input: string | URL | ClientOptions): Settings {
  const options: ClientOptions = typeof input === "string" || input instanceof URL ? { url: input } : input;
  if (!isObject(options)) throw invalidOptions('an address, or an object with "url", "command" or "transport"');
  // Any option may be there, also one of another way to reach a server.
  checkMembers(options, RULES);
  const {
    timeout = DEFAULT_TIMEOUT_MS,
    probeTimeout = DEFAULT_PROBE_TIMEOUT_MS,
    maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES,
    era = "auto",
    cache = {},
  } = options;
  if (cache !== false) checkMembers(cache, CACHE_RULES, "cache.");
  const extensions: Settings["extensions"] = new Map();
  return {
    ...options,
    target: readTarget(options, maxMessageBytes),
    identity: createIdentity(options, extensions),
    extensions,
    timeout: readTimeLimit("timeout", timeout),
    probeTimeout: readTimeLimit("probeTimeout", probeTimeout),
    era,
    maxMessageBytes,
    minimalHeaders: isHttp(options) && options.minimalHeaders === true,
    listen: isHttp(options) && (options.listen ?? LISTENERS.some((name) => options[name] !== undefined)),
    cache: cache !== false && "clear" in cache ? { store: cache } : cache,
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
  if (isPipe(options)) {
    checkMembers(options, PIPE_RULES);
    return { kind: "pipe", transport: options.transport };
  }
  const { command, restart = false } = options;
  if (typeof command !== "string" || command === "")
    throw invalidOptions('"url", "command" or "transport", which tell where the server is');
  return { kind: "process", command: { ...options, maxMessageBytes }, restart };
}

function readHttpTarget(options: HttpOptions): Target {
  checkMembers(options, HTTP_RULES);
  const { headers, auth, fetch, transport = "auto" } = options;
  const text = String(options.url);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw invalidOptions('"url" to be an absolute http: or https: address');
  const configured = readHeaders(headers, readLogin(url));
  url.username = "";
  url.password = "";
  url.hash = "";
  const secrets = [...configured.secrets, ...[...url.searchParams.values()].filter((value) => value.length >= 8)];
  return { kind: "http", url, headers: { ...configured, secrets }, auth, fetch, transport };
}

/** User and password in an address become what they mean: basic authentication. */
function readLogin({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  try {
    const bytes = new TextEncoder().encode(decodeURIComponent(`${username}:${password}`));
    return `Basic ${btoa(String.fromCharCode(...bytes))}`;
  } catch (cause) {
    throw invalidOptions('user and password in "url" to be percent-encoded', cause);
  }
}

/** What a client says of itself: as configured, until there are handlers or extensions, which take a closer look. */
function createIdentity(options: ClientOptions, extensions: Settings["extensions"]): Identity {
  const { clientInfo = DEFAULT_CLIENT_INFO, maxInputRounds = DEFAULT_INPUT_ROUNDS, capabilities = {} } = options;
  const identity: Identity = {
    clientInfo,
    maxInputRounds,
    handlers: options,
    extensions,
    answers: ANSWERERS.some((name) => options[name] !== undefined),
    async prepare() {
      if (!identity.answers && extensions.size === 0) return;
      const { createAbilities } = await import("./capabilities.js");
      Object.assign(identity, createAbilities({ capabilities, handlers: options, extensions }));
    },
    describe: () => capabilities,
    findMirrored: () => undefined,
  };
  return identity;
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isHttp(options: ClientOptions): options is HttpOptions {
  return "url" in options && options.url !== undefined;
}

function isPipe(options: ClientOptions): options is PipeOptions {
  return "transport" in options && options.transport !== undefined;
}
