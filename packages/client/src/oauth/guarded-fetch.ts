import type { SendGuarded } from "./guarded-request.js";

/** Where guarded requests may go, and what they are sent with. */
export interface GuardedFetchOptions {
  /** The configured address of the protected server. What is on its machine or in its network may be visited too. */
  readonly server: URL;
  /** What requests are sent with. @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Whether only public addresses over https may be visited, wherever the server is. */
  readonly hosted: boolean;
  /** Gives the IP addresses of a name, which are then checked before anything is sent. @default names are not resolved */
  readonly resolve?: ((hostname: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** The largest answer that is read, in bytes. @default 262_144 */
  readonly maxBytes?: number | undefined;
  /** How long a request may take with its redirects and its answer, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Makes the function that visits addresses which servers name. See `SendGuarded` for what it refuses; the specification's reasons
 * are in https://modelcontextprotocol.io/docs/2026-07-28/tutorials/security/security_best_practices
 */
export function createSendGuarded(options: GuardedFetchOptions): SendGuarded {
  return async (request) => {
    const { visitGuarded } = await import("./guarded-visit.js");
    return await visitGuarded(options, request);
  };
}
