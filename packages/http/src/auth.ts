import type { HeaderList } from "./exchange.js";

/** What a verifier is shown of a request: nothing that a body could change. */
export interface VerifyRequest {
  readonly method: string;
  /** The address that was asked for. */
  readonly url: string;
  /** The value of a header by its name, in whatever case. */
  header(name: string): string | undefined;
  /** What a framework found out about the caller before: `request.auth` on Node, or what a program passed along. */
  readonly auth: unknown;
}

/** A caller that was recognized. */
export interface Recognized {
  /** Who the caller is. Answers of one principal are never shared with another. */
  readonly principal: string;
  /** What handlers are given as `ctx.auth`. */
  readonly auth?: unknown;
}

/** A caller that is turned away. */
export interface Unrecognized {
  readonly refused: {
    readonly status: 401 | 403 | 429 | 503;
    /** What the caller is told. */
    readonly message: string;
    /** Such as `WWW-Authenticate`. */
    readonly headers?: HeaderList | undefined;
  };
}

/** Checks who is calling. */
export interface Verifier {
  /** Runs once for each request, before its body is read. A failure is answered with 500 and reported. */
  verify(request: VerifyRequest): Recognized | Unrecognized | Promise<Recognized | Unrecognized>;
}
