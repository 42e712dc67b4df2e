import { MortiseError } from "@mortise/core";
import type { ClientOptions, RegisteredClient } from "./client-options.js";
import type { CredentialStore } from "./credential-store.js";
import { registerClient } from "./dynamic-registration.js";
import type { SendGuarded } from "./guarded-request.js";
import { quoteServer } from "./quote-server.js";
import type { Redirect } from "./redirect.js";
import type { ServerMetadata } from "./server-metadata.js";
import { abandonable } from "./shared-work.js";
import { coversRedirect, nameClientKey, readStoredClient, writeStoredClient } from "./stored-client.js";
import type { ClientAuthentication, ClientIdentity } from "./token-set.js";

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
  const configured = await findConfigured(search);
  if (configured !== undefined) return configured;
  const { clientMetadataUrl } = search.options;
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
      const client = await obtainClient(search);
      const record = writeStoredClient(client);
      if (record !== undefined) await store.set(key, record);
      return client;
    },
    signal,
  );
}

/**
 * Gives the client that is there already. Rejects with `login_required` where there is none: a program that acts for itself is not to
 * become somebody else for whoever the server names.
 */
export async function requireClient(search: ClientSearch): Promise<ClientIdentity> {
  const known = await findClient(search);
  if (known === undefined) throw describeMissing(search, "");
  return known;
}

async function obtainClient(search: ClientSearch): Promise<ClientIdentity> {
  const { metadata, options, signal } = search;
  let refusal: Error | undefined;
  if (metadata.registrationEndpoint !== undefined) {
    try {
      return await registerClient(search, listRedirects(search));
    } catch (error) {
      signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
      refusal = metadata.source === "assumed" ? explainAssumed(error) : error;
      if (options.askForClient === undefined) throw refusal;
    }
  }
  const redirectUris = listRedirects(search);
  const asking = options.askForClient?.({ issuer: metadata.issuer, redirectUris, refusal }, signal);
  // Others wait for their turn to ask: one that is never answered must not hold them up for ever.
  const given = asking === undefined ? undefined : await abandonable(asking, signal);
  if (given === undefined) throw refusal ?? describeMissing(search);
  if (given.issuer !== undefined && given.issuer !== metadata.issuer) throw describeMissing(search);
  return { clientId: given.clientId, authentication: toAuthentication(given, metadata), source: "asked" };
}

/** Nobody named the address: without a word about that, its answer explains nothing. */
function explainAssumed({ code, message, cause }: MortiseError): MortiseError {
  const why = 'the server publishes nothing about logins, so its own "/register" was asked, as under 2025-03-26';
  return new MortiseError(code, `${message} (${why})`, { cause });
}

/** Whether the server would not register anybody, or could not. */
function isRefusal(error: unknown): error is MortiseError {
  return error instanceof MortiseError && (error.code === "login_failed" || error.code === "login_denied");
}

/** The addresses that the client has to be registered with. */
function listRedirects({ redirect, redirectUri }: ClientSearch): readonly string[] {
  return redirectUri === undefined ? (redirect?.uris ?? []) : [redirectUri];
}

async function findConfigured(search: ClientSearch): Promise<ClientIdentity | undefined> {
  const { metadata, options } = search;
  const { issuer } = metadata;
  const clients = [options.client ?? []].flat();
  const own = clients.find((client) => client.issuer === issuer);
  const open = own === undefined ? clients.filter((client) => client.issuer === undefined) : [];
  for (const client of open) if ((await bindClient(client, search)) === issuer) return toIdentity(client, metadata);
  return own === undefined ? undefined : toIdentity(own, metadata);
}

/** Gives the issuer that a client without one belongs to: the first that it is used with. */
async function bindClient({ clientId }: RegisteredClient, { metadata, store, signal }: ClientSearch): Promise<unknown> {
  const key = `issuer of client ${clientId}`;
  const read = async (): Promise<unknown> => (await store.get(key))?.issuer;
  const bind = async (): Promise<unknown> => {
    const bound = await read();
    if (bound === undefined) await store.set(key, { issuer: metadata.issuer });
    return bound ?? metadata.issuer;
  };
  return (await read()) ?? (await store.lock(key, bind, signal));
}

async function findStored(search: ClientSearch): Promise<ClientIdentity | undefined> {
  const { metadata, store, grantTypes } = search;
  const stored = readStoredClient(await store.get(nameClientKey(metadata.issuer, grantTypes)));
  return stored !== undefined && coversRedirect(stored.redirectUris, listRedirects(search)) ? stored : undefined;
}

function toIdentity(client: RegisteredClient, metadata: ServerMetadata): ClientIdentity {
  return { clientId: client.clientId, authentication: toAuthentication(client, metadata), source: "configured" };
}

/** How a client proves who it is: as configured, else in the way that fits what it has, and that the server lists. */
function toAuthentication(client: RegisteredClient, metadata: ServerMetadata): ClientAuthentication {
  const { key, secret } = client;
  const method = client.method ?? chooseMethod(client, metadata.tokenAuthMethodsSupported);
  if (method === "none") return { method };
  if (method === "private_key_jwt" && key !== undefined) return { method, key };
  if (method !== "private_key_jwt" && secret !== undefined) return { method, secret };
  throw new MortiseError(
    "invalid_options",
    `Expected the client ${quoteServer(client.clientId)} to have a ${method === "private_key_jwt" ? "key" : "secret"} for "${method}"`,
  );
}

function chooseMethod(
  { key, secret }: RegisteredClient,
  listed: readonly string[] | undefined,
): ClientAuthentication["method"] {
  if (key !== undefined) return "private_key_jwt";
  if (secret === undefined) return "none";
  // What a server leaves out of its metadata is the first.
  const isPost =
    listed !== undefined && !listed.includes("client_secret_basic") && listed.includes("client_secret_post");
  return isPost ? "client_secret_post" : "client_secret_basic";
}

function describeMissing(
  { metadata, options }: ClientSearch,
  besides = ", and it registers none by itself",
): MortiseError {
  const issuer = quoteServer(metadata.issuer);
  const others = [options.client ?? []].flat().map((client) => client.issuer ?? "another one");
  const cure =
    others.length === 0
      ? 'configure "client", "clientMetadataUrl" or "askForClient"'
      : `the configured client belongs to ${others.join(" and ")}`;
  return new MortiseError(
    "login_required",
    `Expected a client that the authorization server ${issuer} knows${besides}: ${cure}`,
  );
}
