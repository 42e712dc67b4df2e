/** What did not help is not tried again for this time, in milliseconds. */
const SPAN_MS = 600_000;
/** More than this is not remembered: the latest counts. */
const MOST = 64;

/** What was tried in vain, for a while: servers change, and what did not help long ago may help now. */
export class InVain {
  readonly #untilByName = new Map<string, number>();

  add(name: string): void {
    this.#untilByName.delete(name);
    this.#untilByName.set(name, Date.now() + SPAN_MS);
    const [oldest] = this.#untilByName.keys();
    if (this.#untilByName.size > MOST && oldest !== undefined) this.#untilByName.delete(oldest);
  }

  has(name: string): boolean {
    return (this.#untilByName.get(name) ?? 0) > Date.now();
  }

  clear(): void {
    this.#untilByName.clear();
  }
}

/** Logins that did not help a request. */
export interface InVainLogins {
  /** Scopes that one was asked for. */
  readonly scopes: InVain;
  /** Tokens that were refused though they came from one for that very request: another would not help. */
  readonly tokens: InVain;
}

/** Gives what is remembered of logins, from now on. */
export function remember(logins: { inVain: InVainLogins | undefined }): InVainLogins {
  logins.inVain ??= { scopes: new InVain(), tokens: new InVain() };
  return logins.inVain;
}
