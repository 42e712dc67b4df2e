import type { ClientOptions } from "./client-options.js";
import type { CredentialStore } from "./credential-store.js";
import type { Grant } from "./grant.js";
import type { ClientLookup, LoginContext, LoginMethod } from "./login-method.js";
import { describeMissing } from "./registered-client.js";
import type { ClientSearch } from "./registration.js";
import type { ClientIdentity } from "./token-set.js";

/** What logins without a login page are made with. */
export interface GrantMethodOptions {
  /**
   * Whether a person is asked. Else the configured client is the only one: with another one, what vouches for it would go to an
   * authorization server that it was never meant for.
   */
  readonly interactive: boolean;
  readonly store: CredentialStore;
  readonly clients: ClientOptions;
  /** The grants that the client is for. */
  readonly grantTypes: readonly string[];
  /** Loads the grant with the first login. */
  createGrant(context: LoginContext): Promise<Grant>;
}

/** Makes logins that take one grant, and no login page of their own. */
export async function createGrantMethod(options: GrantMethodOptions): Promise<LoginMethod> {
  const { abandonable, chooseClient, findClient, forgetUnknown } = await import("./logins.js");
  const { interactive, store, grantTypes } = options;
  // A program that acts for itself is not to become somebody else for whoever the server names.
  const requireClient = async (search: ClientSearch): Promise<ClientIdentity> => {
    const known = await findClient(search);
    if (known === undefined) throw describeMissing(search, "");
    return known;
  };
  const getClient = interactive ? chooseClient : requireClient;
  return {
    interactive,
    grantTypes,
    findClient: (lookup) => findClient(toSearch(options, lookup)),
    async login(context) {
      const { server, resource, metadata, scope, send, signal } = context;
      const grant = await options.createGrant(context);
      const client = await abandonable(getClient(toSearch(options, context)), signal);
      const endpoint = context.createEndpoint(client);
      const granting = grant.obtain({ server, resource, metadata, client, endpoint, scope, send, signal });
      try {
        const tokens = await abandonable(granting, signal);
        return { client, tokens };
      } catch (error) {
        await forgetUnknown({ store, issuer: metadata.issuer, grantTypes }, client, error);
        throw error;
      }
    },
  };
}

function toSearch(options: GrantMethodOptions, { metadata, send, signal }: ClientLookup): ClientSearch {
  const { store, clients, grantTypes } = options;
  return { metadata, options: clients, redirect: undefined, grantTypes, store, send, signal };
}
