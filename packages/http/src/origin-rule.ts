import { MortiseError } from "@mortise/core";
import { isLoopbackName, parseAuthority } from "./loopback.js";

/** Which web pages may call. See `HandlerOptions.allowedOrigins`. */
export type AllowedOrigins = "loopback" | "*" | readonly string[] | ((origin: string) => boolean);

/** Decides whether pages of an origin may call. */
export type OriginRule = (origin: string) => boolean;

const LOOPBACK_ORIGIN = /^https?:\/\/([^/?#@]+)$/i;

/**
 * Builds the rule for the `Origin` header. The last verdict is remembered, except a function's.
 * Throws `invalid_options` for a list entry that is no origin.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
 */
export function createOriginRule(allowed: AllowedOrigins): OriginRule {
  if (typeof allowed === "function") return (origin) => allowed(origin) === true;
  if (allowed === "*") return () => true;
  if (allowed === "loopback") return remember(isLoopbackOrigin);
  const listed = new Set<string>();
  let loopback = false;
  for (const entry of allowed) {
    if (entry === "loopback") loopback = true;
    else listed.add(normalizeOrigin(entry));
  }
  return remember((origin) => listed.has(origin.toLowerCase()) || (loopback && isLoopbackOrigin(origin)));
}

/** Tells whether an origin is a page of this machine's, on whatever port. */
function isLoopbackOrigin(origin: string): boolean {
  const authority = LOOPBACK_ORIGIN.exec(origin)?.[1];
  if (authority === undefined) return false;
  const parsed = parseAuthority(authority);
  return parsed !== undefined && isLoopbackName(parsed.host);
}

function normalizeOrigin(entry: unknown): string {
  if (entry === "null") return "null"; // what sandboxed pages and files send
  const match = typeof entry === "string" ? /^([a-z][a-z0-9+.-]*):\/\/([^/?#@\s]+)\/?$/i.exec(entry) : null;
  if (match === null) {
    throw new MortiseError(
      "invalid_options",
      'Expected every entry of "allowedOrigins" to be an origin such as "https://app.example.com", "null" or "loopback"',
    );
  }
  const scheme = (match[1] ?? "").toLowerCase();
  const authority = (match[2] ?? "").toLowerCase();
  // Browsers leave out a scheme's usual port.
  if (scheme === "https") return `https://${authority.replace(/:443$/, "")}`;
  if (scheme === "http") return `http://${authority.replace(/:80$/, "")}`;
  return `${scheme}://${authority}`;
}

function remember(judge: OriginRule): OriginRule {
  let last: string | undefined; // never equal to an origin until one was judged
  let verdict = false;
  return (origin) => {
    if (origin === last) return verdict;
    verdict = judge(origin);
    last = origin;
    return verdict;
  };
}
