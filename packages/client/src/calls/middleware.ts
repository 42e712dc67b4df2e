import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import type { Call } from "../connection.js";
import type { AroundTools, Send } from "./around-tools.js";

/** One request of this client as middleware sees it. What of it must not be changed, such as its id, is not there. */
export interface MiddlewareCall {
  readonly method: string;
  /** The parameters without `_meta`. They are the caller's own: pass others to `next` instead of changing them. */
  readonly params: JsonObject;
  /** Members for `_meta`, besides those of the protocol. */
  readonly meta: JsonObject;
  /** Aborts when nobody waits for the result any more. */
  readonly signal: AbortSignal | undefined;
}

/** What of a request is sent in place of what it had. */
export interface CallChange {
  /** All parameters, without `_meta`. @default as they were */
  readonly params?: JsonObject | undefined;
  /** All members for `_meta`; the protocol's own stay as they are. @default as they were */
  readonly meta?: JsonObject | undefined;
}

/**
 * Runs around every request but those that open a connection or a subscription, or set the log level. `next()` goes on and resolves with the result; return it, or
 * another one, or throw. Called again, `next()` sends another request.
 */
export type Middleware = (
  call: MiddlewareCall,
  next: (change?: CallChange) => Promise<JsonObject>,
) => JsonObject | Promise<JsonObject>;

/** Sends a request through middleware, outermost first. */
export function runThroughMiddleware(
  call: Call,
  send: Send,
  { middleware, tools }: { readonly middleware: readonly Middleware[]; readonly tools: AroundTools },
): Promise<JsonObject> {
  const chain = [...middleware];
  const signal = call.options?.signal;

  async function step(index: number, current: MiddlewareCall): Promise<JsonObject> {
    const each = chain[index];
    if (each === undefined) return send(toCall(call, current));
    const result: unknown = await each(current, (change) => step(index + 1, applyChange(current, change)));
    if (!isObject(result))
      throw new MortiseError("invalid_options", "Expected middleware to return the result, an object");
    return result;
  }

  // Whoever gives up does not wait for middleware that goes on.
  return tools.untilAborted(async () => ({ ...(await step(0, toView(call))) }), signal);
}

function toView({ method, params = {}, options }: Call): MiddlewareCall {
  const { _meta, ...rest } = params;
  const meta = { ...(isObject(_meta) ? _meta : {}), ...options?.meta };
  return Object.freeze({ method, params: rest, meta: withoutToken(meta), signal: options?.signal });
}

function applyChange(call: MiddlewareCall, change: CallChange | undefined): MiddlewareCall {
  if (change === undefined) return call;
  const { params = call.params, meta = call.meta } = change;
  if (!isObject(params) || !isObject(meta))
    throw new MortiseError(
      "invalid_options",
      'Expected "params" and "meta" of what middleware passes on to be objects',
    );
  const { _meta: _, ...rest } = params;
  return Object.freeze({ ...call, params: rest, meta: withoutToken(meta) });
}

function toCall(call: Call, { params, meta }: MiddlewareCall): Call {
  const hasParams = call.params !== undefined || !isEmpty(params);
  const options = { ...call.options, meta: isEmpty(meta) ? undefined : meta };
  return { ...call, params: hasParams ? params : undefined, options };
}

function isEmpty(members: JsonObject): boolean {
  return Object.keys(members).length === 0;
}

/** A progress token is the id of its request. */
function withoutToken({ progressToken: _, ...meta }: JsonObject): JsonObject {
  return meta;
}
