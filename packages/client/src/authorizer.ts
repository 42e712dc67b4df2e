/** A request that is about to be sent to the server. */
export interface ProtectedRequest {
  /** The configured address of the MCP endpoint: what the credentials are for. */
  readonly server: URL;
  /** Where this request goes, on the same origin. */
  readonly url: URL;
  readonly method: string;
}

/** What goes with one request so that the server lets it in. */
export interface RequestCredentials {
  /** Headers by name. They take the place of configured ones of the same name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request that the server refused with 401 or 403. */
export interface AuthRefusal extends ProtectedRequest {
  readonly status: 401 | 403;
  /** Looks up a header of the answer by its lower-case name; `www-authenticate` has every challenge, joined with commas. */
  header(name: string): string | undefined;
  /** What the request was sent with. */
  readonly credentials: RequestCredentials | undefined;
  /** How often this request has been refused, this time included. */
  readonly attempts: number;
}

/** An answer to a request that was sent with credentials. */
export interface AuthAnswer extends ProtectedRequest {
  readonly status: number;
  header(name: string): string | undefined;
}

/**
 * Lets requests to protected servers in: adds credentials to each, and gets new ones when a server refuses. One authorizer can
 * serve many clients. `@mortise/client/oauth` makes them; a plain object does for tokens that come from elsewhere.
 *
 * @example
 * const auth: Authorizer = { authorize: async () => ({ headers: { Authorization: `Bearer ${await readToken()}` } }) };
 */
export interface Authorizer {
  /**
   * Gives what a request is sent with; `undefined` for nothing. Called before every request, also before one that is repeated. The
   * signal aborts when nobody waits for the request any more, and is one and the same for all attempts at it.
   */
  authorize(
    request: ProtectedRequest,
    signal: AbortSignal,
  ): RequestCredentials | undefined | Promise<RequestCredentials | undefined>;
  /**
   * Hears that the server refused a request. Gives whether it is to be sent again; rejects with what the caller should see
   * instead of the refusal. The timeouts of the request are held meanwhile. Not called for the end of a session.
   * @default the refusal stands
   */
  refused?(refusal: AuthRefusal, signal: AbortSignal): Promise<boolean>;
  /** Hears the head of every other answer. What it throws goes to `onError`. */
  answered?(answer: AuthAnswer): void;
  /** Names whose rights requests to a server have now, for caches: private results are shared within one context alone. */
  context?(server: URL): string | undefined;
}
