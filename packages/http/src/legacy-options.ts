import { isObject, LONGEST_DELAY, MortiseError } from "@mortise/core";
import { checkOptions, FLAG, type OptionRules } from "./check-options.js";
import type { SessionStore } from "./legacy/index.js";

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
  /** How long a session may be idle, and how long a minted id is good for, in milliseconds. @default 1_800_000 */
  readonly idleTimeout?: number | undefined;
  /**
   * How many sessions `"memory"` keeps. One more pushes out the one that has been idle for longest; while all of them are at work,
   * openings are answered with 503. @default 10_000
   */
  readonly maxSessions?: number | undefined;
}

/** The options with their defaults. */
export interface LegacySettings {
  readonly store: "memory" | SessionStore | undefined;
  readonly mintsIds: boolean;
  readonly getStream: boolean;
  readonly idleTimeout: number;
  readonly maxSessions: number;
}

const RULES: OptionRules<LegacyOptions> = {
  sessions: [
    '"none", "memory" or an object with the functions "get", "set" and "delete"',
    (sessions) => sessions === "none" || sessions === "memory" || isStore(sessions),
  ],
  mintSessionId: FLAG,
  getStream: FLAG,
  idleTimeout: [
    "a positive number of milliseconds",
    (time) => typeof time === "number" && time > 0 && time <= LONGEST_DELAY,
  ],
  maxSessions: ["a positive whole number", (count) => Number.isSafeInteger(count) && Number(count) > 0],
};

/** Checks the options. Gives nothing where none of them asks for anything. Throws `invalid_options`. */
export function readLegacyOptions(options: LegacyOptions = {}): LegacySettings | undefined {
  checkOptions(options, RULES, "legacy.");
  const { sessions = "none", mintSessionId = false, getStream = false, idleTimeout = 1_800_000 } = options;
  if (mintSessionId && sessions !== "none")
    throw new MortiseError("invalid_options", 'Expected "legacy.mintSessionId" only with "legacy.sessions" as "none"');
  const store = sessions === "none" ? undefined : sessions;
  if (store === undefined && !mintSessionId && !getStream) return undefined;
  return { store, mintsIds: mintSessionId, getStream, idleTimeout, maxSessions: options.maxSessions ?? 10_000 };
}

function isStore(value: unknown): boolean {
  return isObject(value) && ["get", "set", "delete"].every((name) => typeof value[name] === "function");
}
