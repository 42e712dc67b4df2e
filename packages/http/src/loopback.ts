const IPV4_LOOPBACK = /^127\.(?:\d{1,3})\.(?:\d{1,3})\.(?:\d{1,3})$/;

/** A host and a port as they stand in a `Host` header or in an address. */
export interface Authority {
  /** In lower case, without a trailing dot; IPv6 addresses keep their brackets. */
  readonly host: string;
  /** The digits, or an empty text where no port is named. */
  readonly port: string;
}

const AUTHORITY = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/;

/**
 * Reads a host with an optional port. Gives `undefined` for anything else: user names, paths, lists, blanks. One trailing
 * dot names the same host, absolutely, and is dropped.
 */
export function parseAuthority(text: string): Authority | undefined {
  const match = AUTHORITY.exec(text);
  const name = match?.[1];
  if (name === undefined) return undefined;
  const lower = name.toLowerCase();
  const host = lower.endsWith(".") ? lower.slice(0, -1) : lower;
  return host === "" ? undefined : { host, port: match?.[2] ?? "" };
}

/** Tells whether a host name can only mean this machine: `localhost`, 127.0.0.0/8 in dotted form, `[::1]`. */
export function isLoopbackName(host: string): boolean {
  if (host === "localhost" || host === "[::1]") return true;
  return IPV4_LOOPBACK.test(host) && host.split(".").every((part) => Number(part) <= 255);
}

/** Tells whether an IP address, as a socket reports it, is one of this machine's loopback addresses. */
export function isLoopbackAddress(address: string): boolean {
  if (address === "::1") return true;
  const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
  return IPV4_LOOPBACK.test(plain);
}
