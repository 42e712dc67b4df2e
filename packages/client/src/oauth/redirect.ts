/** How a user is sent to a login page, and comes back with its answer. */
export interface Redirect {
  /** `native` for addresses of this machine and private schemes, `web` for pages of a site: what registrations state. */
  readonly applicationType: "native" | "web";
  /**
   * Every address that answers may come back to, for registrations; the port of a loopback address may be any when it is not
   * fixed. Not one that is made up anew each time.
   */
  readonly uris: readonly string[];
  /**
   * Prepares one login, such as by listening on a port. `registered` are the addresses that the client in use is registered with,
   * which it should come back to if it can; empty when there is none yet.
   */
  open(login: { readonly registered: readonly string[]; readonly signal: AbortSignal }): Promise<OpenRedirect>;
}

/** One login's way out and back. */
export interface OpenRedirect {
  /** The `redirect_uri` of this login. */
  readonly uri: string;
  /**
   * Shows the user the login page and waits for the answer: the parameters that came back, unjudged. Answers with another `state`
   * than the one given belong to somebody else and are not taken. Never resolves where the page itself goes away, as in a redirect of
   * the whole page; the login is then finished with `finish()` by the page that comes back.
   */
  visit(url: URL, options: { readonly state: string; readonly signal: AbortSignal }): Promise<URLSearchParams>;
  /** Ends the wait and frees what was opened. Safe to call twice. */
  close(): void;
}
