import { type Implementation, type JsonObject, MortiseError, type RequestId } from "@mortise/core";
import type { Call } from "./call.js";
import type { Method } from "./method.js";
import { MembersText } from "./outcome.js";

/** What middleware sees of a request. */
export interface MiddlewareCall {
  readonly method: string;
  readonly params: JsonObject;
  readonly requestId: RequestId;
  readonly protocolVersion: string;
  readonly transport: string;
  readonly client: Implementation | undefined;
  readonly principal: string | undefined;
  readonly auth: unknown;
  readonly context: unknown;
  readonly signal: AbortSignal;
}

/**
 * Runs around every request that was let in. `next()` goes on and resolves with the result; return it, or another one,
 * or throw: a `JsonRpcError` is sent as it is. Called again, `next()` runs the method again; it rejects then where the handler asked the
 * client something.
 */
export type Middleware = (call: MiddlewareCall, next: () => Promise<JsonObject>) => JsonObject | Promise<JsonObject>;

/** Runs a method through the server's middleware, outermost first. */
export async function runThroughMiddleware(call: Call, method: Method): Promise<JsonObject> {
  const chain = [...call.server.middleware];
  const view = toView(call);

  async function step(index: number): Promise<JsonObject> {
    const middleware = chain[index];
    if (middleware !== undefined) return middleware(view, () => step(index + 1));
    // The answers were used up, and what was done once would be done again.
    if (call.ledger?.concluded === true)
      throw new MortiseError("input_required", "Expected middleware to go on once where the handler asks something");
    const result = await method.run(call, call.input);
    return result instanceof MembersText ? result.decode() : result;
  }

  return step(0);
}

function toView(call: Call): MiddlewareCall {
  const { request, revision, carrier } = call;
  return {
    method: request.method,
    params: request.params ?? {},
    requestId: request.id,
    protocolVersion: revision.id,
    transport: carrier.transport,
    client: call.client,
    principal: carrier.principal,
    auth: carrier.auth,
    context: carrier.context,
    get signal() {
      return call.signal;
    },
  };
}
