import { isJsonRpcError, isThenable } from "@mortise/core";
import type { Call } from "./call.js";
import { runThroughMiddleware } from "./middleware.js";
import type { Outcome, Result } from "./outcome.js";
import type { Sealed } from "./sealed.js";

/** What a cancelled call is sealed as; nobody reads it. */
const DROPPED: Sealed = { text: "", status: 499 };

/** What gives the result of a call. */
export type Work = (call: Call) => Result | Promise<Result>;

/**
 * Runs an opened call and seals what becomes of it. Never throws or rejects, and stays synchronous when the handler does.
 * The answer of a call that was cancelled meanwhile is empty, and must not be sent.
 * `work` is what the method does, within the server's middleware, unless told otherwise.
 */
export function run(call: Call, work: Work = start): Sealed | Promise<Sealed> {
  try {
    const result = call.retry === undefined ? work(call) : resume(call, work);
    if (!isThenable(result)) return finish(call, { kind: "done", result });
    if (!call.cancelled) call.server.inFlight.add(call);
    return result.then(
      (value) => finishLater(call, { kind: "done", result: value }),
      (error: unknown) => finishLater(call, { kind: "failed", error }),
    );
  } catch (error) {
    return finish(call, { kind: "failed", error });
  }
}

/** Reads what earlier rounds brought before anything else is done: it may be somebody else's. */
async function resume(call: Call, work: Work): Promise<Result> {
  await call.questions.ready();
  if (call.cancelled) throw call.signal.reason;
  return work(call);
}

function start(call: Call): Result | Promise<Result> {
  const { method, server } = call;
  if (method === undefined) throw new TypeError("Expected a call that was opened");
  return server.middleware.length === 0 ? method.run(call, call.input) : runThroughMiddleware(call, method);
}

function finishLater(call: Call, outcome: Outcome): Sealed {
  const sealed = finish(call, outcome);
  call.server.inFlight.remove(call);
  return sealed;
}

function finish(call: Call, outcome: Outcome): Sealed {
  if (call.cancelled) return DROPPED;
  call.settle();
  if (outcome.kind === "failed") reportFailure(call, outcome.error);
  try {
    return call.era.seal(call, outcome);
  } catch (error) {
    // A result that JSON cannot hold fails this call alone.
    reportFailure(call, error);
    return call.era.seal(call, { kind: "failed", error });
  }
}

/** What was thrown to be sent is no failure of the server. */
function reportFailure(call: Call, error: unknown): void {
  if (!isJsonRpcError(error)) call.server.report(error, { method: call.request.method });
}
