import type { MCPServer } from "@mortise/server";
import { createExchangeHandler } from "./exchange-handler.js";
import { createSingleKeepAlive } from "./keep-alive.js";
import type { HandlerOptions } from "./policy.js";
import type { RequestExtra } from "./request-extra.js";
import { WebExchange } from "./web-exchange.js";

/** Answers a `Request`. Never rejects. */
export interface HttpHandler {
  (request: Request, extra?: RequestExtra): Promise<Response>;
  /** Whether the endpoint is at a path, given without its query. */
  matches(pathname: string): boolean;
}

/**
 * Builds a handler that serves Streamable HTTP to clients of every revision. Gives a function from `Request` to
 * `Response` that any runtime with web standards can call. Throws `invalid_options` that names the option.
 *
 * @example
 * const handler = createHttpHandler(server);
 * export const POST = (request: Request) => handler(request);
 */
export function createHttpHandler(server: MCPServer, options?: HandlerOptions): HttpHandler {
  const endpoint = createExchangeHandler(server, options, { keepAlive: createSingleKeepAlive });
  const handle = (request: Request, extra?: RequestExtra): Promise<Response> =>
    new Promise((resolve) => {
      endpoint.handle(new WebExchange(request, extra, resolve));
    });
  return Object.assign(handle, { matches: endpoint.matches });
}
