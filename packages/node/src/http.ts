import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describeType, LONGEST_DELAY, MortiseError } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import type { Attachment, ServerTransport } from "@mortise/server/transport";
import { createNodeHttpHandler, type NodeHandlerOptions } from "./node-handler.js";

/** Where to listen, and how to treat requests. */
export interface HttpOptions extends NodeHandlerOptions {
  /** The port to listen on; 0 takes a free one. */
  readonly port: number;
  /**
   * The address to listen on. Any but this machine's own needs `allowedHosts`: the names the server is known by, or
   * `"*"` where something before it checks them. @default "127.0.0.1"
   */
  readonly host?: string | undefined;
}

/** Where a listener is. */
export interface HttpInfo {
  readonly port: number;
  readonly host: string;
  /** The endpoint's whole address. */
  readonly url: string;
  /** Node's server, for its timeouts and events. */
  readonly server: Server;
}

/** How long the last bytes of answers may take after the time to drain is over. */
const FLUSH_TIME = 250;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/**
 * A listener of its own for `server.listen()`. Resolves with where it is. Throws `invalid_options` for wrong options, and
 * for an address beyond this machine without `allowedHosts`; listening rejects with `address_in_use` for a taken port.
 *
 * @example
 * const { url } = await server.listen(http({ port: 3000 }));
 */
export function http(given: HttpOptions): ServerTransport<HttpInfo> {
  const { port, host = "127.0.0.1", ...options } = given ?? {}; // a port that is missing is told below
  checkPort(port);
  checkAddress(host, options);
  return {
    async start(server) {
      const listener = createListener(server, options);
      const address = await listen(listener, port, host);
      // Such as a connection that could not be taken for want of file handles; the others go on.
      listener.on("error", (error) => reportQuietly(options.onError, error));
      return createAttachment(listener, { port: address.port, host, url: formatUrl(host, address.port, options.path) });
    },
  };
}

function checkPort(port: unknown): void {
  if (typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= 65_535) return;
  const received = typeof port === "number" ? String(port) : describeType(port);
  throw new MortiseError(
    "invalid_options",
    `Expected "port" to be a whole number from 0 to 65535, received ${received}`,
  );
}

/** Beyond this machine nothing can be told from a connection's address, so that somebody has to name the hosts. */
function checkAddress(host: unknown, { allowedHosts }: NodeHandlerOptions): void {
  if (typeof host !== "string" || host === "") {
    throw new MortiseError(
      "invalid_options",
      `Expected "host" to be an address or a name, received ${describeType(host)}`,
    );
  }
  if (LOOPBACK.test(host) || (allowedHosts !== undefined && allowedHosts !== "auto")) return;
  throw new MortiseError(
    "invalid_options",
    `Expected "allowedHosts" to list the names this server is reached by when it listens on ${JSON.stringify(host)}; "*" allows every name`,
  );
}

function createListener(server: MCPServer, options: NodeHandlerOptions): Server {
  const handler = createNodeHttpHandler(server, options);
  return createServer((request, response) => handler(request, response));
}

function listen(listener: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => reject(describeFailure(error, port, host));
    listener.once("error", onError);
    listener.listen({ port, host, exclusive: true }, () => {
      listener.off("error", onError);
      resolve(listener.address() as AddressInfo); // a listener on a port has an address of this form
    });
  });
}

function describeFailure(error: Error & { readonly code?: unknown }, port: number, host: string): Error {
  if (error.code !== "EADDRINUSE") return error;
  const message = `Expected port ${port} on ${host} to be free, but another program listens there: choose another port`;
  return new MortiseError("address_in_use", message, { cause: error });
}

function formatUrl(host: string, port: number, path = "/mcp"): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}${path === "*" ? "/" : path}`;
}

function createAttachment(listener: Server, where: Omit<HttpInfo, "server">): Attachment<HttpInfo> {
  const closed = new Promise<void>((resolve) => {
    listener.once("close", resolve);
  });
  return {
    info: { ...where, server: listener },
    closed,
    async close({ drain }) {
      listener.close();
      listener.closeIdleConnections();
      // Connections that finish their answer now are idle, and stay open for another request unless they are looked for.
      const sweep = setInterval(() => listener.closeIdleConnections(), 20);
      const patience = Math.min(drain + FLUSH_TIME, LONGEST_DELAY);
      const force = setTimeout(() => listener.closeAllConnections(), patience);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

/** What the hook itself throws is dropped: as a stray failure it would end the process. */
function reportQuietly(onError: ((error: unknown) => void) | undefined, error: Error): void {
  try {
    onError?.(error);
  } catch {
    return;
  }
}
