/** What a program may know about a request besides the `Request`. */
export interface RequestExtra {
  /** The body, where it has been read already: decoded, or its text or bytes. */
  readonly parsedBody?: unknown;
  /** What a framework found out about the caller; handlers get it as `ctx.auth`. */
  readonly auth?: unknown;
  /** Anything else that handlers should have, as `ctx.context`. */
  readonly context?: unknown;
  /** The address this end of the connection has. With it, `allowedHosts: "auto"` checks loopback connections. */
  readonly localAddress?: string | undefined;
}
