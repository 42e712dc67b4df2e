import {
  BYTES,
  checkOptions,
  FLAG,
  HOOK,
  isObject,
  LONGEST_DELAY,
  MortiseError,
  type OptionRules,
  oneOf,
  REVISIONS,
  type Revision,
} from "@mortise/core";
import { type AcceptReader, createAcceptReader } from "./accept-rule.js";
import type { Verifier } from "./auth.js";
import { type ContentTypeRule, createContentTypeRule } from "./content-type-rule.js";
import { type Cors, createCors } from "./cors.js";
import type { DisconnectPolicy, HandlerOptions } from "./handler-options.js";
import { createHostRule, type HostRule } from "./host-rule.js";
import type { LegacyDoor } from "./legacy-door.js";
import { type LegacySettings, readLegacyOptions } from "./legacy-options.js";
import { createMessageReader, type MessageReader } from "./lenient.js";
import { createOriginRule, type OriginRule } from "./origin-rule.js";
import { createRepeatRule, type RepeatRule } from "./repeated-member.js";
import { chooseAssumed, narrowVersions } from "./served-versions.js";

/** What the rules depend on besides the options. */
export interface Served {
  /** The protocol versions that the server speaks. */
  readonly versions: readonly string[];
  /** The parameter headers that tools declare, in lower case. */
  listParamHeaders(): ReadonlySet<string>;
  /** Builds what serves legacy clients that are remembered. */
  openLegacyDoor?(settings: LegacySettings): LegacyDoor;
}

/** The options as the gate uses them: checked, with their defaults, and rules built. One for each handler. */
export interface Policy {
  readonly path: string;
  /** The protocol versions spoken here, the preferred first. */
  readonly versions: readonly string[];
  /** The HTTP methods that are answered, for `Allow`. */
  readonly allowedMethods: readonly string[];
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
  readonly messages: MessageReader;
  /** What serves legacy clients that are remembered. Nothing where none is. */
  readonly legacy: LegacyDoor | undefined;
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
  protocolVersions: [
    "a list of protocol versions",
    (versions) => Array.isArray(versions) && versions.every((version) => typeof version === "string"),
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
  rejectModernNotifications: FLAG,
  lenient: ["an object", isObject],
  legacy: ["an object", isObject],
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
  served: Served = { versions: [...REVISIONS.keys()], listParamHeaders: () => new Set() },
): Policy {
  checkOptions(options, RULES);
  const { allowedOrigins = "loopback", onDisconnect = {}, keepAlive = 15_000, maxMessageBytes, maxBodyBytes } = options;
  checkOptions(onDisconnect, DISCONNECT_RULES, "onDisconnect.");
  if (maxBodyBytes !== undefined && maxBodyBytes !== (maxMessageBytes ?? maxBodyBytes))
    throw new MortiseError("invalid_options", 'Expected one of "maxMessageBytes" and "maxBodyBytes", received both');
  const versions = narrowVersions(options.protocolVersions, served.versions);
  const settings = readLegacyOptions(options.legacy, options.path);
  const legacy = settings && served.openLegacyDoor?.(settings);
  const cors = options.cors ?? "auto";
  const allowedMethods = ["POST", ...(legacy?.methods ?? []), ...(cors === false ? [] : ["OPTIONS"])];
  return {
    path: options.path ?? "/mcp",
    versions,
    checkHost: createHostRule(options.allowedHosts ?? "auto"),
    allowsOrigin: createOriginRule(allowedOrigins),
    allowedMethods,
    cors: createCors(cors, allowedOrigins, { allowedMethods, listDeclared: served.listParamHeaders }),
    maxBytes: maxMessageBytes ?? maxBodyBytes ?? 1_048_576,
    assumed: chooseAssumed(versions),
    requireAccept: options.requireAccept ?? "warn",
    readAccept: createAcceptReader(),
    allowsContentType: createContentTypeRule(),
    repeats: createRepeatRule(),
    responseMode: options.responseMode ?? "auto",
    onDisconnect: { modern: onDisconnect.modern ?? "abort", legacy: onDisconnect.legacy ?? "continue" },
    keepAlive: keepAlive === "off" ? 0 : keepAlive,
    rejectModernNotifications: options.rejectModernNotifications ?? false,
    messages: createMessageReader(options.lenient ?? {}),
    legacy,
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
