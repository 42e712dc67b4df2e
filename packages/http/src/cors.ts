import { isHeaderName, MortiseError } from "@mortise/core";
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
  preflight(exchange: Exchange, passed: HeaderList): EdgeReply;
}

const OWN_HEADERS = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Session-Id",
];
const EXPOSED = ["Mcp-Session-Id", "WWW-Authenticate", "Retry-After", "MCP-Protocol-Version"];
/** Pages may try every method that some revision knows, so that they can read the 405 where it is not served. */
const METHODS = "POST, GET, DELETE, OPTIONS";
const PARAM_HEADER = /^mcp-param-./i;
/** A page asks for the headers of one call; more than this is no page of ours. */
const MAX_PARAM_HEADERS = 64;

/**
 * Builds the headers for web pages, or gives `undefined` where the option is `false`. Throws `invalid_options`.
 * `listDeclared` gives the parameter headers that tools declare, in lower case.
 */
export function createCors(
  option: CorsOption,
  origins: AllowedOrigins,
  listDeclared: () => ReadonlySet<string>,
): Cors | undefined {
  if (option === false) return undefined;
  const details = typeof option === "object" ? option : {};
  checkDetails(details, origins);
  const exposed = [...EXPOSED, ...(details.exposeHeaders ?? [])].join(", ");
  const allowed = [...OWN_HEADERS, ...(details.allowHeaders ?? [])].join(", ");
  const maxAge = String(details.maxAge ?? 7200);
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
    preflight(exchange, passed) {
      if (passed.length === 0) return { status: 204, headers: ["Allow", "POST, OPTIONS"] };
      const names = readParamHeaders(exchange.header("access-control-request-headers"));
      const asked = details.paramHeaders === "declared" ? keepDeclared(names, listDeclared()) : names;
      return {
        status: 204,
        headers: [
          "Access-Control-Allow-Methods",
          METHODS,
          "Access-Control-Allow-Headers",
          [allowed, ...asked].join(", "),
          "Access-Control-Max-Age",
          maxAge,
          "Vary",
          "Access-Control-Request-Headers",
        ],
      };
    },
  };
}

/** The names among those a page asks for that mirror tool parameters. The rest of the request is not repeated. */
function readParamHeaders(asked: string | undefined): string[] {
  if (asked === undefined) return [];
  return asked
    .split(",", 256)
    .map((name) => name.trim())
    .filter((name) => PARAM_HEADER.test(name) && isHeaderName(name))
    .slice(0, MAX_PARAM_HEADERS);
}

function keepDeclared(names: readonly string[], declared: ReadonlySet<string>): string[] {
  return names.filter((name) => declared.has(name.toLowerCase()));
}

function checkDetails(details: CorsOptions, origins: AllowedOrigins): void {
  for (const member of ["allowHeaders", "exposeHeaders"] as const) {
    const names: unknown = details[member];
    if (names === undefined) continue;
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string" && isHeaderName(name))) {
      throw new MortiseError("invalid_options", `Expected "cors.${member}" to be a list of header names`);
    }
  }
  if (details.credentials === true && origins === "*") {
    throw new MortiseError(
      "invalid_options",
      'Expected "allowedOrigins" to be a list with "cors.credentials", since any page could act as its visitor otherwise',
    );
  }
  if (details.paramHeaders !== undefined && details.paramHeaders !== "asked" && details.paramHeaders !== "declared") {
    throw new MortiseError("invalid_options", 'Expected "cors.paramHeaders" to be "asked" or "declared"');
  }
  if (details.maxAge !== undefined && !(Number.isInteger(details.maxAge) && details.maxAge >= 0)) {
    throw new MortiseError("invalid_options", 'Expected "cors.maxAge" to be a whole number of seconds');
  }
}
