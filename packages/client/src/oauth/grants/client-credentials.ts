import type { Grant } from "../grant.js";

/**
 * The grant of programs that act for themselves: the client's own credentials are all it takes.
 * See https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/oauth-client-credentials.mdx
 */
export function createClientCredentialsGrant(): Grant {
  return {
    interactive: false,
    obtain: ({ endpoint, scope, signal }) => endpoint.clientCredentials(scope, signal),
  };
}
