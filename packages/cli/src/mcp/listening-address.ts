import type { Server } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import type { HttpOptions } from "@mortise/node";
import { CommandFailure, EXIT } from "../command-failure.js";
import type { HttpPart } from "./mcp-options.js";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;
const EVERY_ADDRESS = new Set(["0.0.0.0", "::", "0:0:0:0:0:0:0:0"]);

/** What decides about the names a server may be asked for by. */
export type Listening = Pick<HttpPart, "host" | "allowHost" | "token" | "allowUnauthenticated">;

/**
 * Chooses the hosts that requests may name. Pages of others can point a name of their own at this machine; they do not know the token,
 * so that with one every name is let through unless some are listed. Throws `CommandFailure` for an address beyond this machine that
 * nothing protects.
 */
export function chooseHosts({
  host,
  allowHost = [],
  token,
  allowUnauthenticated,
}: Listening): HttpOptions["allowedHosts"] {
  if (LOOPBACK.test(host)) return allowHost.length === 0 ? "auto" : ["loopback", ...allowHost];
  if (token === undefined && allowUnauthenticated !== true) {
    const danger = "everybody who reaches it could call models with your keys, at your expense";
    const cures = "set MORTISE_MCP_TOKEN or --token, or take the risk with --allow-unauthenticated";
    throw new CommandFailure(`${host} is reached from other machines, and ${danger}: ${cures}`, EXIT.usage);
  }
  if (token !== undefined && allowHost.length === 0) return "*";
  const own = EVERY_ADDRESS.has(host) ? listOwnNames() : [toAuthority(host)];
  return ["loopback", ...own, ...allowHost];
}

/** The address of the endpoint as clients write it. */
export function listReachableUrl({
  host,
  path,
  listener,
}: {
  readonly host: string;
  readonly path: string;
  readonly listener: Server;
}): string {
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const reached = EVERY_ADDRESS.has(host)
    ? (listOwnAddresses().find((one) => !one.includes(":")) ?? "127.0.0.1")
    : host;
  return `http://${toAuthority(reached)}:${port}${path}`;
}

function listOwnNames(): string[] {
  return [hostname(), ...listOwnAddresses().map(toAuthority)].filter((name) => /^[\w.[\]:-]+$/.test(name));
}

/** Addresses that only mean something together with an interface are left out: nobody can name them in a `Host` header. */
function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"))
    .map(({ address }) => address);
}

function toAuthority(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
