import { remember } from "./in-vain.js";
import type { LoginRecord } from "./login-record.js";
import type { Flight, Gain, Refused, ServerLogins } from "./server-logins.js";

/** Asks for more rights, where a token is good and does not allow a request. Gives whether there is a better one now. */
export async function stepUp(
  logins: ServerLogins,
  used: LoginRecord,
  { challenge, history, signal }: Refused,
): Promise<boolean> {
  const parts = await import("./logins.js");
  const { abandonable, coversScopes, isExpired, isSameToken, MOST_LOGINS, note, planLogin, uniteScopes } = parts;
  const { held } = logins;
  const { scopes } = remember(logins);
  const needed = challenge?.scope;
  const key = needed ?? "";
  const logIn = async (current: LoginRecord, stop: AbortSignal): Promise<Gain | undefined> => {
    const plan = planLogin(current, challenge);
    if (needed !== undefined) return logins.logInOnce(plan, stop);
    // A server that does not say what is missing may have said what there is.
    const resource = await logins.discover(stop);
    const supported = resource.scopesSupported?.join(" ");
    if (coversScopes(current.requested, supported)) return undefined;
    return logins.logInOnce({ ...plan, challenged: supported, resource }, stop);
  };
  const plan = (current: LoginRecord): Flight => ({
    kind: "needed",
    scope: uniteScopes(current.requested, needed),
    work: logins.share((stop) => logIn(current, stop)),
  });
  for (;;) {
    await held.reload(used);
    const current = held.record ?? used;
    if (!isSameToken(current, used) && !isExpired(current) && coversScopes(current.requested, needed)) return true;
    // A login that was for these scopes cannot ask for more of them, also where it left some out.
    if (isSameToken(history.gained, used) && (history.steps.has(key) || coversScopes(used.requested, needed))) {
      scopes.add(key);
      return false;
    }
    if (scopes.has(key) || history.logins >= MOST_LOGINS) return false;
    const joined = logins.join(needed);
    if (joined === undefined || (joined.kind !== "refresh" && coversScopes(joined.scope, needed))) {
      const flight = joined ?? logins.begin(plan(current));
      const gain = await flight.work.wait(signal);
      history.steps.add(key);
      return note(history, gain);
    }
    await abandonable(joined.work.over, signal);
  }
}
