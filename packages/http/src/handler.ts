import type { MCPServer } from "@mortise/server";
import { createExchangeHandler } from "./exchange-handler.js";
import type { HandlerOptions } from "./handler-options.js";
import { createSingleKeepAlive } from "./keep-alive.js";
import type { RequestExtra } from "./request-extra.js";
import { WebExchange } from "./web-exchange.js";

/**
 * Answers a `Request`. Never rejects. It can be handed to a runtime as it is: whatever else a runtime calls it with is
 * not looked at.
 */
export interface HttpHandler {
  (request: Request): Promise<Response>;
  /** Answers a `Request` of which the program knows more than it says. Never rejects. */
  handle(request: Request, extra?: RequestExtra): Promise<Response>;
  /** Whether the endpoint is at a path, given without its query. */
  matches(pathname: string): boolean;
}

/**
 * Builds a handler that serves Streamable HTTP to clients of every revision. Gives a function from `Request` to
 * `Response` that any runtime with web standards can call. Throws `invalid_options` that names the option.
 *
 * @example
 * export const POST = createHttpHandler(server);
 */
export function createHttpHandler(server: MCPServer, options?: HandlerOptions): HttpHandler {
  const endpoint = createExchangeHandler(server, options, { keepAlive: createSingleKeepAlive });
  const handle = (request: Request, extra?: RequestExtra): Promise<Response> =>
    new Promise((resolve) => {
      endpoint.handle(new WebExchange(request, extra, resolve));
    });
  return Object.assign((request: Request) => handle(request), { handle, matches: endpoint.matches });
}
