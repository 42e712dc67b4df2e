import { MortiseError } from "@mortise/core";
import type { Grant, GrantContext } from "../grant.js";
import type { SendGuarded } from "../guarded-request.js";
import type { GrantedToken } from "../token-answer.js";
import type { ClientIdentity } from "../token-set.js";
import { type Assertion, JWT_BEARER, readAssertion } from "./assertion.js";

/** What a person is known by at the identity provider. */
export type SubjectTokenType = "id_token" | "saml2" | "refresh_token";

/** The organization's identity provider, as this client knows it. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** The client that the person signed in to. */
  readonly client: ClientIdentity;
  /** How it is asked: its address is configured, and not named by any server. */
  readonly send: SendGuarded;
}

/** Who the person is, and who vouches for it. */
export interface EnterpriseManagedGrantOptions {
  readonly provider: IdentityProvider;
  /** What the provider gave when the person signed in. */
  readonly subjectToken: Assertion;
  /** @default "id_token" */
  readonly subjectTokenType?: SubjectTokenType | undefined;
}

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/**
 * The grant of people whom an organization lets in: its identity provider exchanges their sign-in for a grant, which the authorization
 * server of the MCP server takes (RFC 8693, then RFC 7523). Nobody is asked.
 * See https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
 */
export function createEnterpriseManagedGrant(options: EnterpriseManagedGrantOptions): Grant {
  return {
    interactive: false,
    obtain: async (context) => {
      const { endpoint, scope, signal } = context;
      const exchanged = await exchangeIdentity(options, context);
      const tokens = await endpoint.grant(JWT_BEARER, { assertion: exchanged.accessToken }, signal);
      return { ...tokens, scope: tokens.scope ?? exchanged.scope ?? scope };
    },
  };
}

async function exchangeIdentity(
  options: EnterpriseManagedGrantOptions,
  context: GrantContext,
): Promise<GrantedToken["tokens"]> {
  const { provider, subjectToken, subjectTokenType = "id_token" } = options;
  const { resource, metadata, scope, signal } = context;
  const { client, send, issuer, tokenEndpoint } = provider;
  const { requestToken } = await import("../logins.js");
  const { tokens, issuedTokenType } = await requestToken({
    metadata: { issuer, tokenEndpoint },
    client,
    send,
    type: TOKEN_EXCHANGE,
    params: {
      requested_token_type: ID_JAG,
      audience: metadata.issuer,
      resource: resource.resource,
      ...(scope !== undefined && { scope }),
      subject_token: await readAssertion("subjectToken", subjectToken, context),
      subject_token_type: `urn:ietf:params:oauth:token-type:${subjectTokenType}`,
    },
    named: "the identity provider's configuration",
    tokenTypes: ["bearer", "dpop", "n_a"],
    signal,
  });
  // Anything else could be a token for the provider itself, which is nobody else's business.
  if (issuedTokenType !== ID_JAG)
    throw new MortiseError("login_failed", `Expected "issued_token_type" of the identity provider to be "${ID_JAG}"`);
  return tokens;
}
