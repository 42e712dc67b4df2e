import { checkOptions, FLAG, isObject, LONGEST_DELAY, MortiseError, type OptionRules } from "@mortise/core";
import type { EventStore, SessionStore } from "./legacy/index.js";

/** What an HTTP handler does for clients of legacy revisions beyond answering each request alone. Everything is off at first. */
export interface LegacyOptions {
  /**
   * Whether clients get sessions, which remember what was agreed, the log level and watched resources. `"memory"` keeps them in
   * this process; a store can be shared by several. With sessions, requests need their id. @default "none"
   */
  readonly sessions?: "none" | "memory" | SessionStore | undefined;
  /**
   * Gives clients a session id although nothing is stored: a sealed token that tells what was agreed, so that questions can be put
   * to them. Log levels and watched resources are not remembered. Only with `sessions: "none"`. @default false
   */
  readonly mintSessionId?: boolean | undefined;
  /** Serves GET with an event stream that tells of changes. @default false */
  readonly getStream?: boolean | undefined;
  /**
   * Lets clients of sessions whose connection broke ask for the rest of a stream, with GET and `Last-Event-ID`. `true` keeps events in
   * this process, for ten minutes and within limits; a store can be shared by several. Needs `sessions`. @default false
   */
  readonly resumable?: boolean | EventStore | undefined;
  /**
   * Serves the HTTP+SSE transport of the first revision beside the endpoint: GET `path` opens a stream, POST `messagePath` takes
   * messages. `path` may be the endpoint's own. Clients are told `messagePath` with the mount point that a framework cut off; a
   * `messagePath` without a slash in front is told as it is, and is relative to `path`, for proxies that cut off more. A stream
   * lives in the process that opened it. At most `maxSessions` are open. @default false
   */
  readonly sse?: false | SseOptions | undefined;
  /** How long a session may be idle, and how long a minted id is good for, in milliseconds. @default 1_800_000 */
  readonly idleTimeout?: number | undefined;
  /**
   * How many sessions `"memory"` keeps. One more pushes out the one that has been idle for longest; while all of them are at work,
   * openings are answered with 503. @default 10_000
   */
  readonly maxSessions?: number | undefined;
}

/** Where the HTTP+SSE transport is served. */
export interface SseOptions {
  readonly path: string;
  readonly messagePath: string;
}

/** The options with their defaults. */
export interface LegacySettings {
  readonly store: "memory" | SessionStore | undefined;
  readonly mintsIds: boolean;
  readonly getStream: boolean;
  readonly idleTimeout: number;
  readonly maxSessions: number;
  /** Where the events of streams are kept. Nothing where they are not. */
  readonly events: true | EventStore | undefined;
  readonly sse: SseSettings | undefined;
}

/** Where the HTTP+SSE transport is served. */
export interface SseSettings {
  readonly path: string;
  /** Where messages are taken. */
  readonly messagePath: string;
  /** What clients are told of it. */
  readonly toldPath: string;
}

const RULES: OptionRules<LegacyOptions> = {
  sessions: [
    '"none", "memory" or an object with the functions "get", "set" and "delete"',
    (sessions) => sessions === "none" || sessions === "memory" || hasFunctions(sessions, ["get", "set", "delete"]),
  ],
  mintSessionId: FLAG,
  getStream: FLAG,
  resumable: [
    'true, false or an object with the functions "append" and "after"',
    (store) => typeof store === "boolean" || hasFunctions(store, ["append", "after"]),
  ],
  idleTimeout: [
    "a positive number of milliseconds",
    (time) => typeof time === "number" && time > 0 && time <= LONGEST_DELAY,
  ],
  sse: ['false or an object with "path" and "messagePath"', (sse) => sse === false || isObject(sse)],
  maxSessions: ["a positive whole number", (count) => Number.isSafeInteger(count) && Number(count) > 0],
};

const SSE_RULES: OptionRules<SseOptions> = {
  path: [
    'a path that starts with "/" and has no query',
    (path) => typeof path === "string" && /^\/[^?#\s]*$/.test(path),
  ],
  messagePath: ["a path without a query", (path) => typeof path === "string" && /^(?!\/\/)[^?#\s:]+$/.test(path)],
};

/**
 * Checks the options, beside the path of the endpoint. Gives nothing where none of them asks for anything. Throws
 * `invalid_options`.
 */
export function readLegacyOptions(options: LegacyOptions = {}, endpoint = "/mcp"): LegacySettings | undefined {
  checkOptions(options, RULES, "legacy.");
  const { sessions = "none", mintSessionId = false, getStream = false, idleTimeout = 1_800_000 } = options;
  if (mintSessionId && sessions !== "none")
    throw new MortiseError("invalid_options", 'Expected "legacy.mintSessionId" only with "legacy.sessions" as "none"');
  const store = sessions === "none" ? undefined : sessions;
  const events = options.resumable === false ? undefined : options.resumable;
  if (events !== undefined && store === undefined)
    throw new MortiseError("invalid_options", 'Expected "legacy.resumable" only with "legacy.sessions"');
  const sse = readSseOptions(options.sse, endpoint);
  if (store === undefined && !mintSessionId && !getStream && sse === undefined) return undefined;
  const { maxSessions = 10_000 } = options;
  return { store, mintsIds: mintSessionId, getStream, idleTimeout, maxSessions, events, sse };
}

function readSseOptions(options: LegacyOptions["sse"] = false, endpoint: string): SseSettings | undefined {
  if (options === false) return undefined;
  checkOptions(options, SSE_RULES, "legacy.sse.");
  const { path, messagePath: toldPath } = options;
  if (path === undefined || toldPath === undefined)
    throw new MortiseError("invalid_options", 'Expected "legacy.sse" to have "path" and "messagePath"');
  const messagePath = new URL(toldPath, `http://localhost${path}`).pathname;
  if (messagePath === path || messagePath === endpoint)
    throw new MortiseError("invalid_options", 'Expected "legacy.sse.messagePath" to be a path of its own');
  return { path, messagePath, toldPath };
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === "function");
}
