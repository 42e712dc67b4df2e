import { MCPTimeoutError, MortiseError, toError } from "@mortise/core";
import type { Connection } from "../connection.js";
import type { Deadline } from "../deadline.js";
import type { Settings } from "../settings.js";
import type { SubscribeOptions, Subscription } from "../subscription.js";
import { readFilter } from "./filter.js";
import { KeptSubscription } from "./kept-subscription.js";

const DEFAULT_PENDING = 1_000;

/** What a client lends to its subscriptions. */
export interface SubscriptionMeans {
  readonly connection: Connection;
  readonly settings: Pick<Settings, "timeout" | "onProblem">;
  /* What is loaded with every client. */
  readonly readTimeLimit: (name: string, value: unknown) => number | undefined;
  readonly Deadline: typeof Deadline;
}

/** Opens a subscription. Loaded with the first. Throws `invalid_options`, and what keeps it from being opened. */
export async function openSubscription(
  filter: unknown,
  options: SubscribeOptions,
  { connection, settings, readTimeLimit, Deadline: Limit }: SubscriptionMeans,
): Promise<Subscription> {
  const asked = readFilter(filter);
  const { signal, onChange, onLost, onRestored } = options;
  for (const [name, hook] of Object.entries({ onChange, onLost, onRestored }))
    if (hook !== undefined && typeof hook !== "function")
      throw new MortiseError("invalid_options", `Expected "${name}" to be a function`);
  const timeout = options.timeout === undefined ? settings.timeout : readTimeLimit("timeout", options.timeout);
  const maxPending = readCount("maxPending", options.maxPending, DEFAULT_PENDING);
  const maxAttempts = readCount("maxAttempts", options.maxAttempts, Number.POSITIVE_INFINITY);
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw new MortiseError("invalid_options", 'Expected "signal" to be an AbortSignal');
  if (signal?.aborted === true) throw abortError(signal);
  const subscription = new KeptSubscription(
    {
      open: (patience) => connection.open(patience),
      run: (session, request) => connection.run(session, { ...request, options: { timeout: timeout ?? 0 } }),
      endedBy: () => connection.endedBy,
      onGap: (gap) => connection.tell((companion) => companion.onGap?.(gap)),
      onProblem: (thrown) => settings.onProblem(toError(thrown)),
      startDeadline: (onExpire) =>
        new Limit({ timeout }, (timeoutMs) =>
          onExpire(new MCPTimeoutError(`The subscription was not confirmed within ${timeoutMs} ms`, { timeoutMs })),
        ),
      onEnd() {
        connection.companions.delete(subscription);
        signal?.removeEventListener("abort", onAbort);
      },
    },
    { filter: asked, onChange, onLost, onRestored, maxPending, maxAttempts },
  );
  const onAbort = (): void => void subscription.end({ reason: "aborted" });
  signal?.addEventListener("abort", onAbort);
  connection.companions.add(subscription);
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
