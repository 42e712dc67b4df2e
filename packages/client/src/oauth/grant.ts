import type { SendGuarded } from "./guarded-request.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";
import type { TokenEndpoint } from "./token-endpoint.js";
import type { ClientIdentity, TokenSet } from "./token-set.js";

/** One way to get tokens: what is left to do once server, authorization server and client are known. */
export interface Grant {
  /** Whether a person is asked, so that it is not begun behind anybody's back. */
  readonly interactive: boolean;
  /** Gets tokens anew. Rejects with `login_failed`, `login_denied` or `login_required`, or with the reason of the signal. */
  obtain(context: GrantContext): Promise<TokenSet>;
}

/** Everything that is known when tokens are asked for. */
export interface GrantContext {
  /** The configured address of the MCP endpoint. */
  readonly server: URL;
  readonly resource: ProtectedResource;
  readonly metadata: ServerMetadata;
  readonly client: ClientIdentity;
  /** The token endpoint, asked as this client and for this resource. */
  readonly endpoint: TokenEndpoint;
  /** The scopes to ask for, separated by blanks; `undefined` to leave that to the server. */
  readonly scope: string | undefined;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}
