// What is done with tokens that are there and do not do: loaded with the first of them.
import { toError } from "@mortise/core";
import { remember } from "./in-vain.js";
import type { LoginRecord } from "./login-record.js";
import { refreshLogin } from "./refresh-login.js";
import type { RequestHistory } from "./request-history.js";
import type { Gain, LoginStart, ServerLogins } from "./server-logins.js";

export { stepUp } from "./step-up.js";

/** How long a refresh that failed before the token ended is not tried again, in milliseconds. */
const QUIET_MS = 10_000;

/** A login that starts from tokens which were refused. */
export interface Renewal extends LoginStart {
  readonly previous: LoginRecord;
}

/**
 * Refreshes a token that is about to end, or has, and gives what a request is to be sent with; `undefined` when a login is needed, which
 * the server has to ask for.
 */
export async function refreshDue(logins: ServerLogins, signal: AbortSignal): Promise<LoginRecord | undefined> {
  const { abandonable, isDue, isExpired, isSameToken, note, SharedWork } = await import("./logins.js");
  for (let isFresh = false; ; ) {
    const { record } = logins.held;
    // One that was only just got for this request is tried once, even if it has ended by then.
    const isUsable = (one: LoginRecord): boolean =>
      !isDue(one) || isSameToken(one, logins.histories.find(signal)?.gained);
    if (record === undefined || isUsable(record)) return record;
    const hasEnded = isExpired(record);
    if (record.tokens.refreshToken === undefined) return hasEnded ? undefined : record;
    // Some servers give the same token again until it has ended. It is as good as it gets.
    if (isFresh) return record;
    const { flight } = logins;
    const isOther = flight !== undefined && flight.kind !== "refresh";
    if (!hasEnded && (Date.now() < logins.quietUntil || isOther)) return record;
    if (isOther) {
      await abandonable(flight.work.over, signal);
      continue;
    }
    const work = flight?.work ?? new SharedWork(() => refresh(logins, record));
    if (flight === undefined) logins.begin({ kind: "refresh", scope: undefined, work });
    try {
      note(logins.histories.open(signal), await work.wait(signal));
      isFresh = true;
    } catch (error) {
      if (signal.aborted || hasEnded) throw error;
      logins.quietUntil = Date.now() + QUIET_MS;
      logins.onProblem(toError(error));
    }
  }
}

/** A refresh if one can help; then a look at who gives tokens now; then a login. `undefined` when nothing is left to try. */
export async function renew(
  logins: ServerLogins,
  plan: Renewal,
  history: Pick<RequestHistory, "logins" | "refreshed">,
  signal: AbortSignal,
): Promise<Gain | undefined> {
  const { isExpired, MOST_LOGINS } = await import("./logins.js");
  const { previous } = plan;
  const hasEnded = isExpired(previous);
  const isRefreshable = !history.refreshed && history.logins === 0;
  if (isRefreshable && hasEnded) {
    const gain = await refresh(logins, previous);
    if (gain !== undefined) return gain;
  }
  // The token should have done: somebody else may give them now.
  const resource = await logins.discover(signal);
  // One that publishes nothing now names nobody else: it may only be out of order.
  const isMoved = resource.source === "metadata" && !resource.issuers.includes(previous.issuer);
  if (isMoved) await logins.held.forget();
  else if (isRefreshable && !hasEnded) {
    const gain = await refresh(logins, previous);
    if (gain !== undefined) return gain;
  }
  if (isMoved ? history.logins >= MOST_LOGINS : history.logins > 0) {
    remember(logins).tokens.add(previous.tokens.accessToken);
    return undefined;
  }
  return logins.logInOnce({ ...plan, resource, previous: isMoved ? undefined : previous }, signal);
}

/** `undefined` when there is nothing more to be had without a login. */
async function refresh(logins: ServerLogins, record: LoginRecord): Promise<Gain | undefined> {
  const { isSameToken } = await import("./logins.js");
  const fresh = await refreshLogin(logins.work.host, record);
  logins.held.adopt(fresh);
  return fresh === undefined || isSameToken(fresh, record) ? undefined : { record: fresh, by: "refresh" };
}
