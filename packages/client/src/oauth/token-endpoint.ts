import type { Dpop } from "./dpop.js";
import type { SendGuarded } from "./guarded-request.js";
import { loginFailure } from "./login-failure.js";
import type { ServerMetadata } from "./server-metadata.js";
import type { GrantedToken } from "./token-answer.js";
import { requestToken } from "./token-request.js";
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
  /** Whether tokens that are not bound to the key are refused. @default false */
  readonly dpopRequired?: boolean | undefined;
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
 * server refuses or answers with something that is no token, `login_denied` for "access_denied", `address_refused`, and the reason of
 * the signal; `readRefusal` tells what the server said. Nothing is sent again by itself, but for a nonce that a server demands.
 */
export interface TokenEndpoint {
  /** The `resource` of every request. */
  readonly resource: string | undefined;
  exchangeCode(exchange: CodeExchange, signal: AbortSignal): Promise<TokenSet>;
  /**
   * Any other grant: its type, and its parameters besides `resource`. A `scope` among them counts as granted when the server does not
   * say otherwise.
   */
  grant(type: string, params: Readonly<Record<string, string>>, signal: AbortSignal): Promise<TokenSet>;
}

/** Makes the way to a token endpoint. Sends nothing yet. */
export function createTokenEndpoint(options: TokenEndpointOptions): TokenEndpoint {
  const { metadata, client, send, resource, dpop } = options;
  const grant: TokenEndpoint["grant"] = async (type, params, signal) => {
    const all = resource === undefined ? params : { ...params, resource };
    const granted = await requestToken({ metadata, client, send, dpop, type, params: all, signal });
    return await toTokenSet(granted, params.scope, options);
  };
  return {
    resource,
    grant,
    exchangeCode: async (exchange, signal) => {
      const tokens = await grant("authorization_code", toParams(exchange), signal);
      return { ...tokens, scope: tokens.scope ?? exchange.scope };
    },
  };
}

function toParams({ code, redirectUri, verifier }: CodeExchange): Readonly<Record<string, string>> {
  const params = { code, redirect_uri: redirectUri };
  return verifier === undefined ? params : { ...params, code_verifier: verifier };
}

async function toTokenSet(
  { tokens, type }: GrantedToken,
  asked: string | undefined,
  { dpop, dpopRequired }: TokenEndpointOptions,
): Promise<TokenSet> {
  const isBound = type === "dpop";
  if (isBound && dpop === undefined) throw await loginFailure("boundToken");
  if (!isBound && dpopRequired === true) throw await loginFailure("unboundToken");
  return { ...tokens, tokenType: isBound ? "DPoP" : "Bearer", scope: tokens.scope ?? asked };
}
