import { MortiseError } from "@mortise/core";

/** What an authorization server said when it gave no token. */
export interface TokenRefusal {
  /** The error code of OAuth, such as "invalid_grant"; `undefined` when the answer had none. */
  readonly error: string | undefined;
  /** The server's explanation, shortened and without secrets. */
  readonly description: string | undefined;
  /** The HTTP status of the answer. */
  readonly status: number;
}

/** Finds what the server said below an error; `undefined` when the failure was another. */
export function readRefusal(error: unknown): TokenRefusal | undefined {
  const cause = error instanceof MortiseError ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "status" in cause && "error" in cause
    ? (cause as TokenRefusal) // nothing else has these members and is the cause of such an error
    : undefined;
}
