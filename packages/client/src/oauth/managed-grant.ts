import type { CredentialStore } from "./credential-store.js";
import type { Grant } from "./grant.js";
import { createEnterpriseManagedGrant } from "./grants/enterprise-managed.js";
import type { EnterpriseManagedOptions } from "./grants.js";
import type { LoginContext } from "./login-method.js";

/** Makes the grant of an organization's users, with its identity provider as configured, whose client needs a store of its own. */
export async function createManagedGrant(
  options: EnterpriseManagedOptions,
  context: LoginContext,
  store: CredentialStore,
): Promise<Grant> {
  const { checkLoginUrl, chooseClient, createSendGuarded } = await import("./logins.js");
  const { provider, subjectToken, subjectTokenType, fetch } = options;
  const { issuer, tokenEndpoint } = provider;
  // The program itself names this address: it may be wherever the program wants it to be.
  const server = checkLoginUrl(tokenEndpoint, '"tokenEndpoint" of the identity provider');
  const send = createSendGuarded({ server, fetch, hosted: false });
  const client = await chooseClient({
    metadata: {
      issuer,
      tokenEndpoint,
      issParameterSupported: false,
      clientIdMetadataDocumentSupported: false,
      source: "oauth",
    },
    options: { client: { ...provider.client, issuer } },
    redirect: undefined,
    store,
    send,
    signal: context.signal,
  });
  return createEnterpriseManagedGrant({
    provider: { issuer, tokenEndpoint, client, send },
    subjectToken,
    subjectTokenType,
  });
}
