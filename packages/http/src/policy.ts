import {
  ASSUMED_PROTOCOL_VERSION,
  isObject,
  LONGEST_DELAY,
  MortiseError,
  type Revision,
  revisionOf,
} from "@mortise/core";
import { type AcceptReader, createAcceptReader } from "./accept-rule.js";
import type { Verifier } from "./auth.js";
import { BYTES, checkOptions, HOOK, type OptionRules, oneOf } from "./check-options.js";
import { type ContentTypeRule, createContentTypeRule } from "./content-type-rule.js";
import { type Cors, type CorsOption, createCors } from "./cors.js";
import { type AllowedHosts, createHostRule, type HostRule } from "./host-rule.js";
import { type AllowedOrigins, createOriginRule, type OriginRule } from "./origin-rule.js";
import { createRepeatRule, type RepeatRule } from "./repeated-member.js";

/** What happens to a call whose caller leaves before the answer is complete. */
export interface DisconnectPolicy {
  /** @default "abort", as the specification demands */
  readonly modern?: "abort" | "continue" | undefined;
  /** @default "continue", as the specification asks */
  readonly legacy?: "abort" | "continue" | undefined;
}

/** How an HTTP handler treats requests. Every default is the safe choice. */
export interface HandlerOptions {
  /** The path of the endpoint, compared exactly. `"*"` takes every path, for programs that route themselves. @default "/mcp" */
  readonly path?: string | undefined;
  /**
   * Hosts that may be asked for. `"auto"` checks connections that end at a loopback address: they must ask for
   * `localhost`, 127.0.0.0/8 or `[::1]`, in any case, with or without a trailing dot, and with the connection's own
   * port or none. Fetch handlers cannot know the address and rely on `allowedOrigins` unless a list is given. A list
   * holds hosts, with a port (that port alone) or without (every port); the entry `"loopback"` stands for this machine's
   * names on every port. `"*"` allows everything. Forwarding headers are never read. @default "auto"
   */
  readonly allowedHosts?: AllowedHosts | undefined;
  /**
   * Origins whose pages may call; a request without `Origin` passes. `"loopback"` means pages of this machine on every
   * port; a list holds origins and may hold `"loopback"` and `"null"`; `"*"` allows every page. @default "loopback"
   */
  readonly allowedOrigins?: AllowedOrigins | undefined;
  /**
   * `"auto"` lets pages whose origin passed read answers, and answers preflights; `"*"` sends a literal star; `false`
   * sends nothing and answers `OPTIONS` with 405, for programs that do it themselves. @default "auto"
   */
  readonly cors?: CorsOption | undefined;
  /** Largest body accepted, in bytes. Larger ones are answered with 413. @default 1_048_576 */
  readonly maxMessageBytes?: number | undefined;
  /** Another name of `maxMessageBytes`. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Whether `Accept` must name both `application/json` and `text/event-stream`, or ranges that cover them. `"strict"`
   * answers 406 otherwise, `"warn"` tells `onWarning` once, `"off"` does not look. @default "warn"
   */
  readonly requireAccept?: "warn" | "strict" | "off" | undefined;
  /**
   * `"auto"` answers with JSON unless a notice comes first, or nothing for one keep-alive interval; `"json"` always, and
   * drops notices; `"sse"` answers every successful request with an event stream. A peer is only sent what it accepts.
   * @default "auto"
   */
  readonly responseMode?: "auto" | "json" | "sse" | undefined;
  /** What happens to a call whose caller leaves. @default { modern: "abort", legacy: "continue" } */
  readonly onDisconnect?: DisconnectPolicy | undefined;
  /** Milliseconds between comments on an event stream that keep it open. 0 or `"off"` sends none. @default 15_000 */
  readonly keepAlive?: number | "off" | undefined;
  /** Answers modern notifications with 400 rather than 202: the revision defines none over HTTP. @default false */
  readonly rejectModernNotifications?: boolean | undefined;
  /** Checks who is calling, before the body is read. @default nobody is checked */
  readonly auth?: Verifier | undefined;
  /** Receives every failure that was not meant for the peer. @default silent */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives, once each, what peers do against the specification without being refused. @default silent */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What the rules depend on besides the options. */
export interface Served {
  readonly assumed: Revision;
  /** The parameter headers that tools declare, in lower case. */
  listParamHeaders(): ReadonlySet<string>;
}

/** The options as the gate uses them: checked, with their defaults, and rules built. One for each handler. */
export interface Policy {
  readonly path: string;
  readonly checkHost: HostRule;
  readonly allowsOrigin: OriginRule;
  readonly cors: Cors | undefined;
  readonly maxBytes: number;
  /** What a legacy request speaks that does not tell. */
  readonly assumed: Revision;
  readonly requireAccept: "warn" | "strict" | "off";
  readonly readAccept: AcceptReader;
  readonly allowsContentType: ContentTypeRule;
  readonly repeats: RepeatRule;
  readonly responseMode: "auto" | "json" | "sse";
  readonly onDisconnect: { readonly modern: "abort" | "continue"; readonly legacy: "abort" | "continue" };
  /** Milliseconds, or 0 for none. */
  readonly keepAlive: number;
  readonly rejectModernNotifications: boolean;
  readonly auth: Verifier | undefined;
  readonly onError: (error: unknown) => void;
  /** Passes a warning on the first time its message comes up. */
  readonly warn: (message: string) => void;
}

const RULES: OptionRules<HandlerOptions> = {
  path: [
    'a path that starts with "/" and has no query, or "*"',
    (path) => path === "*" || (typeof path === "string" && /^\/[^?#\s]*$/.test(path)),
  ],
  allowedHosts: [
    '"auto", "*" or a list of hosts',
    (hosts) => hosts === "auto" || hosts === "*" || Array.isArray(hosts),
  ],
  allowedOrigins: [
    '"loopback", "*", a list of origins or a function',
    (origins) => origins === "loopback" || origins === "*" || Array.isArray(origins) || typeof origins === "function",
  ],
  cors: [
    '"auto", "*", false or an object',
    (cors) => cors === "auto" || cors === "*" || cors === false || isObject(cors),
  ],
  maxMessageBytes: BYTES,
  maxBodyBytes: BYTES,
  requireAccept: oneOf("warn", "strict", "off"),
  responseMode: oneOf("auto", "json", "sse"),
  onDisconnect: ["an object", isObject],
  keepAlive: [
    'a number of milliseconds or "off"',
    (interval) => interval === "off" || (typeof interval === "number" && interval >= 0 && interval <= LONGEST_DELAY),
  ],
  rejectModernNotifications: ["true or false", (flag) => typeof flag === "boolean"],
  auth: ['an object with a function "verify"', (auth) => isObject(auth) && typeof auth.verify === "function"],
  onError: HOOK,
  onWarning: HOOK,
};
const DISCONNECT_RULES: OptionRules<DisconnectPolicy> = {
  modern: oneOf("abort", "continue"),
  legacy: oneOf("abort", "continue"),
};

/**
 * Checks the options and builds their rules. Throws `invalid_options` that names the member which is wrong.
 * `served` is what they depend on besides.
 */
export function createPolicy(
  options: HandlerOptions = {},
  served: Served = { assumed: revisionOf(ASSUMED_PROTOCOL_VERSION), listParamHeaders: () => new Set() },
): Policy {
  checkOptions(options, RULES);
  const { allowedOrigins = "loopback", onDisconnect = {}, keepAlive = 15_000, maxMessageBytes, maxBodyBytes } = options;
  checkOptions(onDisconnect, DISCONNECT_RULES, "onDisconnect.");
  if (maxBodyBytes !== undefined && maxBodyBytes !== (maxMessageBytes ?? maxBodyBytes))
    throw new MortiseError("invalid_options", 'Expected one of "maxMessageBytes" and "maxBodyBytes", received both');
  return {
    path: options.path ?? "/mcp",
    checkHost: createHostRule(options.allowedHosts ?? "auto"),
    allowsOrigin: createOriginRule(allowedOrigins),
    cors: createCors(options.cors ?? "auto", allowedOrigins, served.listParamHeaders),
    maxBytes: maxMessageBytes ?? maxBodyBytes ?? 1_048_576,
    assumed: served.assumed,
    requireAccept: options.requireAccept ?? "warn",
    readAccept: createAcceptReader(),
    allowsContentType: createContentTypeRule(),
    repeats: createRepeatRule(),
    responseMode: options.responseMode ?? "auto",
    onDisconnect: { modern: onDisconnect.modern ?? "abort", legacy: onDisconnect.legacy ?? "continue" },
    keepAlive: keepAlive === "off" ? 0 : keepAlive,
    rejectModernNotifications: options.rejectModernNotifications ?? false,
    auth: options.auth,
    onError: (error) => tell(options.onError, error),
    warn: createWarner(options.onWarning),
  };
}

/** Calls a hook that must not do harm itself: what it throws is dropped, since nobody is left to be told. */
function tell<Told>(hook: ((told: Told) => void) | undefined, told: Told): void {
  try {
    hook?.(told);
  } catch {
    return;
  }
}

function createWarner(onWarning: HandlerOptions["onWarning"]): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message)) return;
    told.add(message);
    tell(onWarning, message);
  };
}
