import type { CorsOptions } from "./cors.js";
import type { HeaderList } from "./exchange.js";

/** What a preflight is answered by. Functions are handed in, since what is loaded later shares no code with what is loaded at start. */
export interface PreflightRules extends CorsOptions {
  readonly isHeaderName: (text: string) => boolean;
  readonly allowedMethods: readonly string[];
  /** Gives the parameter headers that tools declare, in lower case. */
  readonly listDeclared: () => ReadonlySet<string>;
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
const PARAM_HEADER = /^mcp-param-./i;
/** A page asks for the headers of one call; more than this is no page of ours. */
const MAX_PARAM_HEADERS = 64;

/** The headers that answer a preflight, given the request headers that a page asks for. Loaded with the first preflight. */
export function listAllowed(asked: string | undefined, rules: PreflightRules): HeaderList {
  const params = readParamHeaders(asked, rules);
  return [
    "Access-Control-Allow-Methods",
    rules.allowedMethods.join(", "),
    "Access-Control-Allow-Headers",
    [...OWN_HEADERS, ...(rules.allowHeaders ?? []), ...params].join(", "),
    "Access-Control-Max-Age",
    String(rules.maxAge ?? 7200),
    "Vary",
    "Access-Control-Request-Headers",
  ];
}

/** The names among those a page asks for that mirror tool parameters. The rest of the request is not repeated. */
function readParamHeaders(asked: string | undefined, rules: PreflightRules): string[] {
  if (asked === undefined) return [];
  const declared = rules.paramHeaders === "declared" ? rules.listDeclared() : undefined;
  return asked
    .split(",", 256)
    .map((name) => name.trim())
    .filter((name) => PARAM_HEADER.test(name) && rules.isHeaderName(name))
    .slice(0, MAX_PARAM_HEADERS)
    .filter((name) => declared?.has(name.toLowerCase()) !== false);
}
