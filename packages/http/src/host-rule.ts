import { MortiseError } from "@mortise/core";
import { type EdgeReply, refuse } from "./edge-reply.js";
import type { Exchange } from "./exchange.js";
import { isLoopbackAddress, isLoopbackName, parseAuthority } from "./loopback.js";

/** Which hosts a request may ask for. See `HandlerOptions.allowedHosts`. */
export type AllowedHosts = "auto" | "*" | readonly string[];

/** Decides about the host a request asks for. */
export type HostRule = (exchange: Exchange) => EdgeReply | undefined;

const NEVER_SEEN: unique symbol = Symbol("never seen");
const MALFORMED = refuse(400, "Expected exactly one valid Host header");
const FOREIGN_TO_LOOPBACK = refuse(
  403,
  'Expected the Host header to name this machine and port (localhost, 127.0.0.0/8, [::1]); list other hosts in the option "allowedHosts"',
);
const UNLISTED = refuse(403, 'Expected the Host header to be listed in the option "allowedHosts"');

/**
 * Builds the rule that keeps other sites' names from reaching this server (DNS rebinding).
 * Throws `invalid_options` for a list entry that is no host.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
 */
export function createHostRule(allowed: AllowedHosts): HostRule {
  if (allowed === "*") return remember(judgeForm);
  if (allowed === "auto") return createAutomaticRule();
  return createListRule(allowed);
}

/** Whatever host is allowed, it has to be one: programs put it into addresses and headers of their own. */
function judgeForm(authority: string | undefined): EdgeReply | undefined {
  return authority === undefined || parseAuthority(authority) !== undefined ? undefined : MALFORMED;
}

function remember(judge: (authority: string | undefined) => EdgeReply | undefined): HostRule {
  let last: string | undefined | typeof NEVER_SEEN = NEVER_SEEN;
  let verdict: EdgeReply | undefined;
  return ({ authority }) => {
    if (authority === last) return verdict;
    verdict = judge(authority);
    last = authority;
    return verdict;
  };
}

/** Checks only where the connection ends at a loopback address; the last verdict is remembered. */
function createAutomaticRule(): HostRule {
  let lastAuthority: string | undefined | typeof NEVER_SEEN = NEVER_SEEN;
  let lastAddress: string | undefined;
  let lastPort: number | undefined;
  let verdict: EdgeReply | undefined;
  return (exchange) => {
    const { authority, localAddress, localPort } = exchange;
    if (authority === lastAuthority && localAddress === lastAddress && localPort === lastPort) return verdict;
    verdict = judgeLoopback(authority, localAddress, localPort);
    lastAuthority = authority;
    lastAddress = localAddress;
    lastPort = localPort;
    return verdict;
  };
}

function judgeLoopback(
  authority: string | undefined,
  address: string | undefined,
  localPort: number | undefined,
): EdgeReply | undefined {
  if (address === undefined || !isLoopbackAddress(address)) return judgeForm(authority);
  const asked = authority === undefined ? undefined : parseAuthority(authority);
  if (asked === undefined) return authority === undefined ? MALFORMED : FOREIGN_TO_LOOPBACK;
  const rightPort = asked.port === "" || localPort === undefined || Number(asked.port) === localPort;
  return isLoopbackName(asked.host) && rightPort ? undefined : FOREIGN_TO_LOOPBACK;
}

function createListRule(allowed: readonly string[]): HostRule {
  const hosts = new Set<string>();
  let loopback = false;
  for (const entry of allowed) {
    if (entry === "loopback") {
      loopback = true;
      continue;
    }
    const authority = typeof entry === "string" ? parseAuthority(entry) : undefined;
    if (authority === undefined) {
      throw new MortiseError(
        "invalid_options",
        'Expected every entry of "allowedHosts" to be a host with an optional port, such as "mcp.example.com" or "[::1]:3000", or "loopback"',
      );
    }
    hosts.add(authority.port === "" ? authority.host : `${authority.host}:${authority.port}`);
  }
  const isLocal = loopback ? isLoopbackName : () => false;
  return remember((authority) => judgeListed(authority, hosts, isLocal));
}

function judgeListed(
  authority: string | undefined,
  hosts: ReadonlySet<string>,
  isLocal: (host: string) => boolean,
): EdgeReply | undefined {
  if (authority === undefined) return MALFORMED;
  const asked = parseAuthority(authority);
  if (asked === undefined) return UNLISTED;
  const listed = hosts.has(asked.host) || hosts.has(`${asked.host}:${asked.port}`) || isLocal(asked.host);
  return listed ? undefined : UNLISTED;
}
