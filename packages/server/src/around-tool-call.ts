import type { JsonObject, JsonRpcNotification, JsonRpcResponse } from "@mortise/core";
import type { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import type { HandlerContext } from "./context.js";
import type { ApartOptions, Extension, ToolCall } from "./extension.js";
import type { HandlerRun, Settled } from "./handler-run.js";
import type { Work } from "./run.js";
import type { Sealed } from "./sealed.js";

/** What is needed to run around a tool. Handed in, so that this module stands alone and is loaded by servers that need it. */
export interface AroundParts {
  /** Those that run around the tool, the outermost first. */
  readonly extensions: readonly Extension[];
  /** The tool as it is listed. */
  readonly tool: JsonObject;
  runTool(call: Call): JsonObject | Promise<JsonObject>;
  run(call: Call, work: Work): Sealed | Promise<Sealed>;
  createContext(call: Call): HandlerContext;
  createMissing(id: string): Error;
  /** Makes a result of what became of a run, whatever it asked. */
  conclude(call: Call, settled: Settled, run: HandlerRun): Promise<JsonObject>;
  createError(code: number, message: string, data: unknown): Error;
}

/** Makes the function that runs a call of a tool through the extensions. */
export function createAround(parts: AroundParts): (call: Call) => Promise<JsonObject> {
  async function step(call: Call, index: number): Promise<JsonObject> {
    const extension = parts.extensions[index];
    if (extension?.aroundToolCall === undefined) return parts.runTool(call);
    const result: unknown = await extension.aroundToolCall(toView(call, extension, parts), (apart) =>
      apart === undefined ? step(call, index + 1) : runApart(call, apart, index + 1),
    );
    if (isResult(result)) return result;
    throw new TypeError(`Expected "aroundToolCall" of extension "${extension.id}" to return a result`);
  }

  /** Runs the rest of the chain as a call of its own, whose answer is read instead of sent. */
  function runApart(call: Call, apart: ApartOptions, index: number): Promise<JsonObject> {
    const { signal } = apart;
    const derived = call.derive(toParams(call, apart), createCarrier(call.carrier, apart.onNotice));
    const stop = (): void => derived.cancel(signal.reason);
    return new Promise<JsonObject>((resolve, reject) => {
      derived.onCancelled = () => reject(derived.signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      const read = (sealed: Sealed): void => {
        if (!derived.cancelled) resolve(readAnswer(sealed, parts));
      };
      Promise.resolve(parts.run(derived, (each) => step(each, index)))
        .then(read)
        .catch(reject);
    }).finally(() => signal.removeEventListener("abort", stop));
  }

  /** An extension may ask something itself: as the tool may, and together with it. */
  return async (call) => {
    const again = (): Promise<JsonObject> => step(call, 0);
    return parts.conclude(call, await settle(again), { again, toResult, toFailure });
  };
}

/** One that is complete has content. */
function isResult(result: unknown): result is JsonObject {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  const { resultType = "complete", content } = result as JsonObject; // neither nothing nor an array
  return resultType !== "complete" || Array.isArray(content);
}

async function settle(run: () => Promise<JsonObject>): Promise<Settled> {
  try {
    return { returned: await run() };
  } catch (error) {
    return { error };
  }
}

function toResult(returned: unknown): JsonObject {
  return returned as JsonObject; // what every step is held to
}

function toFailure(error: unknown): never {
  throw error;
}

function toView(call: Call, { id }: Extension, parts: AroundParts): ToolCall {
  const { params = {} } = call.request;
  const { name, arguments: args } = call.input as Pick<ToolCall, "name" | "arguments">; // what `tools/call` reads
  const declared = call.declared(id);
  return {
    name,
    arguments: args,
    tool: parts.tool,
    params,
    declared,
    context: parts.createContext(call),
    require() {
      if (declared === undefined) throw parts.createMissing(id);
      return declared;
    },
  };
}

/** The params of a first request, with the answers that this run is given. */
function toParams(call: Call, { inputResponses, requestState }: ApartOptions): JsonObject {
  const { inputResponses: _responses, requestState: _state, ...params } = call.request.params ?? {};
  return {
    ...params,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** What is known of the request stays; the way back to its sender does not, since it may be answered and gone. */
function createCarrier(carrier: Carrier, onNotice: ApartOptions["onNotice"]): Carrier {
  const { transport, versions, principal, auth, context, sessionId, agreement } = carrier;
  const known: Carrier = { transport, versions, principal, auth, context, sessionId, agreement };
  return {
    ...known,
    ...(carrier.header === undefined ? {} : { header: (name: string) => carrier.header?.(name) }),
    // The text of one notice, which this server wrote.
    ...(onNotice === undefined
      ? {}
      : { send: (notice: string) => onNotice(JSON.parse(notice) as JsonRpcNotification) }),
  };
}

function readAnswer({ text }: Sealed, parts: AroundParts): JsonObject {
  const response = JSON.parse(text) as JsonRpcResponse; // sealed by this server
  if ("result" in response) return response.result;
  const { code, message, data } = response.error;
  throw parts.createError(code, message, data);
}
