import type { Grant } from "../grant.js";
import type { TokenEndpoint } from "../token-endpoint.js";
import type { TokenSet } from "../token-set.js";

/**
 * The grant of programs that act for themselves: the client's own credentials are all it takes.
 * See https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/oauth-client-credentials.mdx
 */
export function createClientCredentialsGrant(): Grant {
  return {
    interactive: false,
    obtain: ({ endpoint, scope, signal }) => grantClientCredentials(endpoint, scope, signal),
  };
}

/** Gets tokens for the client itself. Rejects as `TokenEndpoint` does. */
export function grantClientCredentials(
  endpoint: TokenEndpoint,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<TokenSet> {
  return endpoint.grant("client_credentials", scope === undefined ? {} : { scope }, signal);
}
