import type { Authorizer } from "../authorizer.js";
import { checkStore, createAuthorizer } from "./authorizer.js";
import { checkClient, checkOwnClient } from "./check-client-options.js";
import type { RegisteredClient } from "./client-options.js";
import type { Grant } from "./grant.js";
import type { Assertion } from "./grants/assertion.js";
import type { SubjectTokenType } from "./grants/enterprise-managed.js";
import type { LoginContext } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import { memoryStore } from "./memory-store.js";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** The id of a client that has none: token requests then leave it out. */
const NOBODY = "";

/** The client that acts for itself. Without an `issuer`, it belongs to the first authorization server that it is used with. */
export interface ClientCredentialsOptions extends LoginOptions, RegisteredClient {}

/** A client whose users an organization lets in. */
export interface EnterpriseManagedOptions extends LoginOptions, RegisteredClient {
  /** The organization's identity provider, and the client that users sign in to there. */
  readonly provider: {
    readonly issuer: string;
    readonly tokenEndpoint: string;
    readonly client: Omit<RegisteredClient, "issuer">;
  };
  /** What the provider gave when the user signed in, or a function that gets it anew. */
  readonly subjectToken: Assertion;
  /** What kind of token that is. @default "id_token" */
  readonly subjectTokenType?: SubjectTokenType | undefined;
}

/** A workload that its platform vouches for. */
export interface WorkloadIdentityOptions extends LoginOptions, Omit<RegisteredClient, "clientId"> {
  /** The client that the workload is, for servers that want to know. @default nobody: the assertion alone says who asks */
  readonly clientId?: string | undefined;
  /**
   * The token that the platform gave the workload, or a function that gets it anew. It goes to `issuer` and to nobody else; without one,
   * to the first authorization server that a server names.
   */
  readonly assertion: Assertion;
}

/**
 * Makes the authorizer of a program that acts for itself, with a secret or a key of its own. Throws `invalid_options`.
 * See https://modelcontextprotocol.io/extensions/auth/oauth-client-credentials
 */
export function clientCredentials(options: ClientCredentialsOptions): Authorizer {
  checkOwnClient(options);
  return createGrantAuthorizer(options, ["client_credentials"], async () => {
    const { createClientCredentialsGrant } = await import("./grants/client-credentials.js");
    return createClientCredentialsGrant();
  });
}

/**
 * Makes the authorizer of a program whose users an organization lets in: its identity provider vouches for them, and nobody is asked.
 * Throws `invalid_options`.
 * See https://modelcontextprotocol.io/extensions/auth/enterprise-managed-authorization
 */
export function enterpriseManaged(options: EnterpriseManagedOptions): Authorizer {
  checkClient(options, "");
  checkClient(options.provider.client, "provider.client.");
  return createGrantAuthorizer(options, [JWT_BEARER], async (context) => {
    const { createManagedGrant } = await import("./managed-grant.js");
    return createManagedGrant(options, context, memoryStore());
  });
}

/**
 * Makes the authorizer of a workload that presents a token of its platform. Throws `invalid_options`.
 * See https://www.rfc-editor.org/rfc/rfc7523.html
 */
export function workloadIdentity(options: WorkloadIdentityOptions): Authorizer {
  const { clientId = NOBODY } = options;
  if (clientId !== NOBODY) checkClient({ ...options, clientId }, "");
  return createGrantAuthorizer({ ...options, clientId }, [JWT_BEARER], async () => {
    const { createWorkloadIdentityGrant } = await import("./grants/workload-identity.js");
    return createWorkloadIdentityGrant(options);
  });
}

function createGrantAuthorizer(
  options: LoginOptions & RegisteredClient,
  grantTypes: readonly string[],
  createGrant: (context: LoginContext) => Promise<Grant>,
): Authorizer {
  const { issuer, clientId, secret, key, method } = options;
  const store = options.store === undefined ? memoryStore() : checkStore(options.store);
  const clients = { client: { issuer, clientId, secret, key, method } };
  const { authorize, refused, answered, context } = createAuthorizer(options, {
    store,
    async openMethod() {
      const { createGrantMethod } = await import("./grant-method.js");
      return createGrantMethod({ interactive: false, store, clients, grantTypes, createGrant });
    },
    known: issuer === undefined ? [] : [issuer],
  });
  return { authorize, refused, answered, context };
}
