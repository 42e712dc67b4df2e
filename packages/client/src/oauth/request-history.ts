import type { LoginRecord } from "./login-record.js";

/** What was done for one request over all its attempts, so that none goes on for ever. */
export interface RequestHistory {
  /** How often somebody was asked for new rights. */
  logins: number;
  refreshed: boolean;
  /** How often a proof was made anew for a nonce. */
  nonces: number;
  /** The scopes that somebody was asked for. */
  readonly steps: Set<string>;
  /** What was got for this request: it is tried once, even if it has ended by then. */
  gained: LoginRecord | undefined;
}

/** How often one request may lead to a login. */
export const MOST_LOGINS = 3;
/** How often one request may be sent again for a nonce alone. */
export const MOST_NONCES = 2;

/** Keeps histories for as long as there are the requests. A request is known by its signal, which all its attempts share. */
export class RequestHistories {
  readonly #bySignal = new WeakMap<AbortSignal, RequestHistory>();

  /** The history of a request that has one. */
  find(signal: AbortSignal): RequestHistory | undefined {
    return this.#bySignal.get(signal);
  }

  open(signal: AbortSignal): RequestHistory {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) return known;
    const history = { logins: 0, refreshed: false, nonces: 0, steps: new Set<string>(), gained: undefined };
    this.#bySignal.set(signal, history);
    return history;
  }
}
