import { MortiseError } from "@mortise/core";
import type { LoopbackHost } from "./loopback-listener.js";

/** Where a login could come back to. */
export interface LoopbackAddress {
  readonly host: LoopbackHost;
  /** 0 for any that is free. */
  readonly port: number;
  readonly path: string;
}

const HOSTS: ReadonlyMap<unknown, LoopbackHost> = new Map([
  ["127.0.0.1", "127.0.0.1"],
  ["localhost", "localhost"],
  ["::1", "[::1]"],
  ["[::1]", "[::1]"],
]);

/** Reads the address that is asked for. Throws `invalid_options` that names the option. */
export function parseLoopbackAddress(host: unknown, port: unknown, path: unknown): LoopbackAddress {
  const known = HOSTS.get(host);
  if (known === undefined)
    throw new MortiseError("invalid_options", 'Expected "host" to be "127.0.0.1", "localhost" or "::1"');
  if (typeof port !== "number" || !Number.isInteger(port) || port < 0 || port > 65_535)
    throw new MortiseError("invalid_options", 'Expected "port" to be a port, or 0 for any that is free');
  if (typeof path !== "string" || !isPath(path))
    throw new MortiseError("invalid_options", 'Expected "path" to be a path such as "/callback"');
  return { host: known, port, path };
}

/** Writes an address down as a `redirect_uri`; without a port when that is any. */
export function formatLoopbackAddress({ host, port, path }: LoopbackAddress): string {
  return `http://${host}${port === 0 ? "" : `:${port}`}${path}`;
}

/**
 * Lists where one login may come back to, the best first. A fixed port leaves no choice. Else these are the addresses that the client
 * is registered with, the one asked for before others, and at last any port: authorization servers have to allow that for loopback
 * addresses (RFC 8252, section 7.3), and those that do not may get another registration.
 */
export function listLoopbackAddresses(asked: LoopbackAddress, registered: readonly string[]): LoopbackAddress[] {
  if (asked.port !== 0) return [asked];
  const known = registered.map(parseRegistered).filter((address) => address !== undefined);
  const isAsked = (address: LoopbackAddress): boolean => address.host === asked.host && address.path === asked.path;
  const sorted = [...known.filter(isAsked), ...known.filter((address) => !isAsked(address))];
  const fixed = sorted.filter(({ port }) => port !== 0);
  return [...fixed, sorted.find(({ port }) => port === 0) ?? asked];
}

function parseRegistered(uri: string): LoopbackAddress | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { hostname, port, pathname } = new URL(uri);
  const host = HOSTS.get(hostname);
  if (host === undefined) return undefined;
  const address = { host, port: Number(port), path: pathname };
  // Servers compare text: what is not written down in the same way cannot be used.
  return formatLoopbackAddress(address) === uri ? address : undefined;
}

function isPath(path: string): boolean {
  return path.startsWith("/") && !path.startsWith("//") && new URL(path, "http://localhost").pathname === path;
}
