import {
  checkOptions,
  FLAG,
  isHeaderName,
  MortiseError,
  type OptionRule,
  type OptionRules,
  oneOf,
} from "@mortise/core";
import type { EdgeReply } from "./edge-reply.js";
import { NO_HEADERS } from "./edge-reply.js";
import type { Exchange, HeaderList } from "./exchange.js";
import type { AllowedOrigins } from "./origin-rule.js";

/** What pages of other origins may do, in detail. */
export interface CorsOptions {
  /** Request headers that pages may set besides the protocol's own. @default none */
  readonly allowHeaders?: readonly string[] | undefined;
  /** Answer headers that pages may read besides the protocol's own. @default none */
  readonly exposeHeaders?: readonly string[] | undefined;
  /** Whether pages may send cookies and the like. Refused together with `allowedOrigins: "*"`. @default false */
  readonly credentials?: boolean | undefined;
  /**
   * Which `Mcp-Param-…` headers pages may set: every one that they ask for, or those alone that a tool declares.
   * @default "asked"
   */
  readonly paramHeaders?: "asked" | "declared" | undefined;
  /** How long a browser may remember a preflight answer, in seconds. @default 7200 */
  readonly maxAge?: number | undefined;
}

/** See `HandlerOptions.cors`. */
export type CorsOption = "auto" | false | "*" | CorsOptions;

/** How answers are made readable for web pages. */
export interface Cors {
  /** Headers for an answer to a request without an origin, or whose origin was not looked at yet. */
  readonly unasked: HeaderList;
  /** Headers for an answer to a request whose origin passed the Origin check. */
  forOrigin(origin: string): HeaderList;
  /** Answers a preflight. */
  preflight(exchange: Exchange, passed: HeaderList): Promise<EdgeReply>;
}

/** What is answered besides the options. */
export interface CorsSubjects {
  readonly allowedMethods: readonly string[];
  /** Gives the parameter headers that tools declare, in lower case. */
  readonly listDeclared: () => ReadonlySet<string>;
}

const EXPOSED = ["Mcp-Session-Id", "WWW-Authenticate", "Retry-After", "MCP-Protocol-Version"];

const NAMES: OptionRule = [
  "a list of header names",
  (names) => Array.isArray(names) && names.every((name) => typeof name === "string" && isHeaderName(name)),
];
const RULES: OptionRules<CorsOptions> = {
  allowHeaders: NAMES,
  exposeHeaders: NAMES,
  credentials: FLAG,
  paramHeaders: oneOf("asked", "declared"),
  maxAge: ["a whole number of seconds", (seconds) => Number.isInteger(seconds) && Number(seconds) >= 0],
};

/**
 * Builds the headers for web pages, or gives `undefined` where the option is `false`. Throws `invalid_options`.
 */
export function createCors(
  option: CorsOption,
  origins: AllowedOrigins,
  { allowedMethods, listDeclared }: CorsSubjects,
): Cors | undefined {
  if (option === false) return undefined;
  const details = typeof option === "object" ? option : {};
  checkOptions(details, RULES, "cors.");
  if (details.credentials === true && origins === "*") {
    throw new MortiseError(
      "invalid_options",
      'Expected "allowedOrigins" to be a list with "cors.credentials", since any page could act as its visitor otherwise',
    );
  }
  const exposed = [...EXPOSED, ...(details.exposeHeaders ?? [])].join(", ");
  const anyOrigin: HeaderList = ["Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", exposed];
  const toAnyone = option === "*" || origins === "*";
  let lastOrigin: string | undefined;
  let lastHeaders: HeaderList = NO_HEADERS;
  return {
    unasked: option === "*" ? anyOrigin : NO_HEADERS,
    forOrigin(origin) {
      if (toAnyone) return anyOrigin;
      if (origin === lastOrigin) return lastHeaders;
      lastHeaders = [
        "Access-Control-Allow-Origin",
        origin,
        "Vary",
        "Origin",
        "Access-Control-Expose-Headers",
        exposed,
        ...(details.credentials === true ? ["Access-Control-Allow-Credentials", "true"] : []),
      ];
      lastOrigin = origin;
      return lastHeaders;
    },
    async preflight(exchange, passed) {
      if (passed.length === 0) return { status: 204, headers: ["Allow", allowedMethods.join(", ")] };
      const { listAllowed } = await import("./preflight.js");
      const asked = exchange.header("access-control-request-headers");
      const allowed = listAllowed(asked, { ...details, isHeaderName, allowedMethods, listDeclared });
      return { status: 204, headers: allowed };
    },
  };
}
