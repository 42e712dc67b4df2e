import { abandonable } from "./abandonable.js";
import { isLoopback } from "./address-rules.js";
import type { ClientOptions } from "./client-options.js";
import type { CredentialStore } from "./credential-store.js";
import { registerClient } from "./dynamic-registration.js";
import type { SendGuarded } from "./guarded-request.js";
import type { Redirect } from "./redirect.js";
import type { ServerMetadata } from "./server-metadata.js";
import { nameClientKey } from "./stored-client.js";
import type { ClientIdentity } from "./token-set.js";

/** What decides which client an authorization server is shown. */
export interface ClientSearch {
  readonly metadata: ServerMetadata;
  readonly options: ClientOptions;
  /** How users come back; `undefined` for grants without a login page. */
  readonly redirect: Pick<Redirect, "applicationType" | "uris"> | undefined;
  /** The `redirect_uri` of the login at hand, which the client has to be registered with. @default any of the redirect's */
  readonly redirectUri?: string | undefined;
  /** The grants that a registration asks for. @default the code flow and refresh tokens */
  readonly grantTypes?: readonly string[] | undefined;
  readonly store: CredentialStore;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}

/**
 * Gives the client that is there already: registered beforehand, described by its own document, or kept from an earlier login;
 * `undefined` when one has to be registered first. Asks nobody.
 */
export async function findClient(search: ClientSearch): Promise<ClientIdentity | undefined> {
  const { client, clientMetadataUrl } = search.options;
  if (client !== undefined) {
    const { findConfigured } = await import("./registered-client.js");
    const configured = await findConfigured(search);
    if (configured !== undefined) return configured;
  }
  if (clientMetadataUrl !== undefined && search.metadata.clientIdMetadataDocumentSupported)
    return { clientId: clientMetadataUrl, authentication: { method: "none" }, source: "metadata-document" };
  return await findStored(search);
}

/**
 * Gives the client to show to an authorization server: one that is there already, else one that the server registers now, else one
 * that somebody is asked for. Rejects with `login_failed` quoting the server's refusal, with `login_required` when nothing leads to
 * a client, and with the reason of the signal.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
 */
export async function chooseClient(search: ClientSearch): Promise<ClientIdentity> {
  const known = await findClient(search);
  if (known !== undefined) return known;
  const { metadata, store, signal, grantTypes } = search;
  const key = nameClientKey(metadata.issuer, grantTypes);
  return await store.lock(
    key,
    async () => {
      const meanwhile = await findStored(search); // by somebody else who shares the store
      if (meanwhile !== undefined) return meanwhile;
      const client = await registerOrAsk(search);
      await keepClient(store, key, client);
      return client;
    },
    signal,
  );
}

async function registerOrAsk(search: ClientSearch): Promise<ClientIdentity> {
  const { metadata, options } = search;
  const redirectUris = listRedirects(search);
  const isPlain = metadata.source !== "assumed" && options.askForClient === undefined;
  if (isPlain && metadata.registrationEndpoint !== undefined) return await registerClient(search, redirectUris);
  const { obtainClient } = await import("./registered-client.js");
  return await obtainClient(search, { redirectUris, register: registerClient, abandonable });
}

async function keepClient(store: CredentialStore, key: string, client: ClientIdentity): Promise<void> {
  const { authentication, ...others } = client;
  if (authentication.method === "none") return await store.set(key, { ...others, method: "none" });
  const { writeKeptClient } = await import("./kept-client.js");
  const record = writeKeptClient(client);
  if (record !== undefined) await store.set(key, record);
}

/** The addresses that the client has to be registered with. */
function listRedirects({ redirect, redirectUri }: ClientSearch): readonly string[] {
  return redirectUri === undefined ? (redirect?.uris ?? []) : [redirectUri];
}

async function findStored(search: ClientSearch): Promise<ClientIdentity | undefined> {
  const { metadata, store, grantTypes } = search;
  const record = await store.get(nameClientKey(metadata.issuer, grantTypes));
  if (record === undefined) return undefined;
  const { coversRedirect, readKeptClient } = await import("./kept-client.js");
  const stored = readKeptClient(record);
  return stored !== undefined && coversRedirect(stored.redirectUris, listRedirects(search), isLoopback)
    ? stored
    : undefined;
}
