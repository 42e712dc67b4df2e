import type { IncomingMessage, ServerResponse } from "node:http";
import { describeType, isObject, MortiseError } from "@mortise/core";
import { createExchangeHandler, createSharedKeepAlive, type HandlerOptions } from "@mortise/http/exchange";
import type { MCPServer } from "@mortise/server";
import { NodeExchange } from "./node-exchange.js";
import { createTargetReader } from "./request-target.js";

/** How a Node handler treats requests: everything an HTTP handler knows, and what handlers are told about a request. */
export interface NodeHandlerOptions extends HandlerOptions {
  /** Gives handlers something of the request, as `ctx.context`. @default nothing */
  readonly context?: ((request: IncomingMessage) => unknown) | undefined;
}

/** Answers Node's requests, alone or as middleware. Never throws. */
export interface NodeHttpHandler {
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** Whether the endpoint is at a path, given without its query. */
  matches(pathname: string): boolean;
}

/** A request whose framework has cut its mount path off `url`. */
interface MountedRequest {
  readonly originalUrl?: unknown;
}

/**
 * Builds a handler that serves Streamable HTTP to clients of every revision. Gives a function for `http.createServer`,
 * Express and Connect: with `next`, requests for other paths are passed on before anything of their body is read.
 * A body that was parsed before is taken from `request.body`, a caller that was checked before from `request.auth`.
 * Throws `invalid_options` that names the option.
 *
 * @example
 * app.use(createNodeHttpHandler(server)); // before app.use(express.json())
 */
export function createNodeHttpHandler(server: MCPServer, options: NodeHandlerOptions = {}): NodeHttpHandler {
  const { context, ...rest } = readOptions(options);
  const endpoint = createExchangeHandler(server, rest, { keepAlive: createSharedKeepAlive });
  const readTarget = createTargetReader();
  const handle: (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void = (
    request,
    response,
    next,
  ) => {
    let target = readTarget(request.url ?? "/");
    if (!endpoint.matches(target.path)) {
      const { originalUrl } = request as MountedRequest; // frameworks add members to Node's object
      const original = typeof originalUrl === "string" ? readTarget(originalUrl) : target;
      if (endpoint.matches(original.path)) target = original;
      else if (next !== undefined) return next();
    }
    endpoint.handle(new NodeExchange(request, response, target, context));
  };
  return Object.assign(handle, { matches: endpoint.matches });
}

function readOptions(options: NodeHandlerOptions): NodeHandlerOptions {
  if (!isObject(options))
    throw new MortiseError(
      "invalid_options",
      `Expected the options to be an object, received ${describeType(options)}`,
    );
  const { context } = options;
  if (context === undefined || typeof context === "function") return options;
  throw new MortiseError("invalid_options", `Expected "context" to be a function, received ${describeType(context)}`);
}
