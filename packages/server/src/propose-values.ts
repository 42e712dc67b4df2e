import type { JsonObject } from "@mortise/core";
import type { Call } from "./call.js";
import type { Completer, CompletionContext } from "./completer.js";
import { toCompletionResult } from "./completion-result.js";
import type { InvalidOutput } from "./tool-result.js";

/** What is asked for. */
export interface Wanted {
  readonly argument: string;
  /** What the user typed so far. */
  readonly value: string;
  /** The arguments that are settled already. */
  readonly settled: Readonly<Record<string, string | undefined>>;
}

/**
 * Makes the result of one request for completions. Rejects with what the completer threw, and with a `Failure` for what is no
 * completion. Loaded with the first request.
 */
export async function proposeValues(
  call: Call,
  { argument, value, settled }: Wanted,
  { completer, Failure }: { readonly completer: Completer | undefined; readonly Failure: typeof InvalidOutput },
): Promise<JsonObject> {
  const returned: unknown = await completer?.(value, createContext(call, settled));
  return toCompletionResult(argument, returned, Failure);
}

/** What a completer gets to know of a call. */
function createContext(call: Call, settled: Wanted["settled"]): CompletionContext {
  const { carrier, client, revision } = call;
  return {
    arguments: settled,
    get signal() {
      return call.signal;
    },
    principal: carrier.principal,
    auth: carrier.auth,
    context: carrier.context,
    client,
    transport: carrier.transport,
    protocolVersion: revision.id,
  };
}
