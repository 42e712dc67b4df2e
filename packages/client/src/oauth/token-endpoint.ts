import type { Dpop } from "./dpop.js";
import type { SendGuarded } from "./guarded-request.js";
import type { ServerMetadata } from "./server-metadata.js";
import type { ClientIdentity, TokenSet } from "./token-set.js";

/** What a token endpoint is asked with. */
export interface TokenEndpointOptions {
  readonly metadata: ServerMetadata;
  readonly client: ClientIdentity;
  readonly send: SendGuarded;
  /** The `resource` of every request, byte for byte; `undefined` only for issuers that refuse it. */
  readonly resource: string | undefined;
  /** Binds tokens to a key. */
  readonly dpop?: Dpop | undefined;
}

/** An answer of the login page that is to be redeemed. */
export interface CodeExchange {
  readonly code: string;
  /** The `redirect_uri` that the login page was given. */
  readonly redirectUri: string;
  /** The PKCE verifier; `undefined` only where none was used. */
  readonly verifier: string | undefined;
  /** What was asked for: what the tokens are for when the server does not say. */
  readonly scope?: string | undefined;
}

/**
 * Asks one authorization server for tokens, as one client and for one resource. Every method rejects with `login_failed` when the
 * server refuses or answers with something that is no token, `login_denied` for "access_denied", and the reason of the signal;
 * `readRefusal` tells what the server said.
 */
export interface TokenEndpoint {
  /** Redeems an authorization code. Codes are good for one attempt: it is never sent again by itself. */
  exchangeCode(exchange: CodeExchange, signal: AbortSignal): Promise<TokenSet>;
  /**
   * Gets new tokens for a refresh token. What the server leaves out, such as the refresh token itself, is kept from the old set.
   * Throws `login_required` when there is no refresh token.
   */
  refresh(tokens: TokenSet, signal: AbortSignal): Promise<TokenSet>;
  clientCredentials(scope: string | undefined, signal: AbortSignal): Promise<TokenSet>;
  /** Any other grant: its type, and its parameters besides `resource`. A `scope` among them is taken for granted unless the server says otherwise. */
  grant(type: string, params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<TokenSet>;
}
