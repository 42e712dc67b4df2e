import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import type { Call } from "../connection.js";
import type { AroundTools } from "./around-tools.js";

/**
 * Which trace a request belongs to.
 *
 * Follows https://www.w3.org/TR/trace-context/ and https://www.w3.org/TR/baggage/
 */
export interface TraceContext {
  /** Version, trace id, parent id and flags, as in "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01". */
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** Tells which trace the request that is about to be sent belongs to; `undefined` for none. */
export type ReadTrace = () => TraceContext | undefined;

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const PRINTABLE = /^[\x20-\x7e]{1,8192}$/;

/**
 * Adds the trace of the moment to a request; what the request says itself stays. What is no trace context is reported and left out.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
 */
export function addTrace(call: Call, read: ReadTrace, tools: AroundTools): Call {
  const trace = readTrace(read, tools);
  if (trace === undefined) return call;
  const own = call.params?._meta;
  const meta = { ...trace, ...(isObject(own) ? own : {}), ...call.options?.meta };
  return { ...call, options: { ...call.options, meta } };
}

function readTrace(read: ReadTrace, { onProblem }: AroundTools): JsonObject | undefined {
  try {
    const trace: unknown = read();
    if (trace === undefined) return undefined;
    if (!isObject(trace) || !matches(TRACEPARENT, trace.traceparent))
      throw new MortiseError("invalid_options", 'Expected "traceparent" to be a W3C trace context');
    const { traceparent, tracestate, baggage } = trace;
    return {
      traceparent,
      ...(matches(PRINTABLE, tracestate) ? { tracestate } : {}),
      ...(matches(PRINTABLE, baggage) ? { baggage } : {}),
    };
  } catch (error) {
    onProblem(error instanceof Error ? error : new Error(String(error)));
    return undefined;
  }
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === "string" && pattern.test(value);
}
