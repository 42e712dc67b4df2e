import { type JsonObject, MCPTimeoutError, MortiseError } from "@mortise/core";
import type { Deadline, TimeLimits } from "../deadline.js";
import type { PendingRequest, Session } from "../era.js";
import type { SubscribeOptions, Subscription } from "../subscription.js";
import { readFilter } from "./filter.js";
import { KeptSubscription, type SubscriptionHost } from "./kept-subscription.js";

const DEFAULT_PENDING = 1_000;

/** What a client lends to its subscriptions. */
export interface SubscriptionMeans extends Pick<SubscriptionHost, "open" | "endedBy" | "onGap" | "onProblem"> {
  /** Sends a request; `undefined` milliseconds mean to wait for ever. */
  run(session: Session, request: PendingRequest, timeout: number | undefined): Promise<JsonObject>;
  /** The client's own timeout. */
  readonly timeout: number | undefined;
  /** Whoever is in here hears that the client was closed, and that a session was opened. */
  readonly subscriptions: Set<Dependent>;
  readTimeLimit(name: string, value: unknown): number | undefined;
  startDeadline(limits: TimeLimits, onExpire: (limitMs: number) => void): Deadline;
}

/** What lives as long as a connection does, over all of its sessions. */
export interface Dependent {
  abandon(reason: Error): void;
  hurry(): void;
}

/** Opens a subscription. Loaded with the first. Throws `invalid_options`, and what keeps it from being opened. */
export async function openSubscription(
  filter: unknown,
  options: SubscribeOptions,
  means: SubscriptionMeans,
): Promise<Subscription> {
  const asked = readFilter(filter);
  const { signal, onChange, onLost, onRestored } = options;
  for (const [name, hook] of Object.entries({ onChange, onLost, onRestored }))
    if (hook !== undefined && typeof hook !== "function")
      throw new MortiseError("invalid_options", `Expected "${name}" to be a function`);
  const timeout = options.timeout === undefined ? means.timeout : means.readTimeLimit("timeout", options.timeout);
  const maxPending = readCount("maxPending", options.maxPending, DEFAULT_PENDING);
  const maxAttempts = readCount("maxAttempts", options.maxAttempts, Number.POSITIVE_INFINITY);
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw new MortiseError("invalid_options", 'Expected "signal" to be an AbortSignal');
  if (signal?.aborted === true) throw abortError(signal);
  const subscription = new KeptSubscription(
    {
      open: means.open,
      run: (session, request) => means.run(session, request, timeout),
      endedBy: means.endedBy,
      onGap: means.onGap,
      onProblem: means.onProblem,
      startDeadline: (onExpire) =>
        means.startDeadline({ timeout }, (timeoutMs) =>
          onExpire(new MCPTimeoutError(`The subscription was not confirmed within ${timeoutMs} ms`, { timeoutMs })),
        ),
      onEnd() {
        means.subscriptions.delete(subscription);
        signal?.removeEventListener("abort", onAbort);
      },
    },
    { filter: asked, onChange, onLost, onRestored, maxPending, maxAttempts },
  );
  const onAbort = (): void => void subscription.end({ reason: "aborted" });
  signal?.addEventListener("abort", onAbort);
  means.subscriptions.add(subscription);
  await subscription.open();
  return subscription;
}

function readCount(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return value ?? fallback;
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new MortiseError("invalid_options", `Expected "${name}" to be a whole number, 1 or more`);
}

function abortError(signal: AbortSignal): MortiseError {
  return new MortiseError("aborted", "The request was given up by its signal", { cause: signal.reason });
}
