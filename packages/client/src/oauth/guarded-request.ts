/** One request to an address that somebody else named. */
export interface GuardedRequest {
  readonly url: string;
  /** Which member of which document named the address, for messages. */
  readonly named: string;
  readonly method?: "GET" | "POST" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/** An answer that was read whole. */
export interface GuardedAnswer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly text: string;
}

/**
 * Sends a request within limits of size and time, and only where it may go: `https:`, or `http:` on the machine itself; no private
 * addresses unless the protected server has one; redirects of a GET within the same rules, none of a POST. Rejects with
 * `address_refused` or `login_failed` naming what was refused, never with what was answered, and with the reason of the signal.
 */
export type SendGuarded = (request: GuardedRequest) => Promise<GuardedAnswer>;
