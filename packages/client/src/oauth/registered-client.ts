import { MortiseError } from "@mortise/core";
import type { RegisteredClient } from "./client-options.js";
import { quoteServer } from "./quote-server.js";
import type { ClientSearch } from "./registration.js";
import type { ServerMetadata } from "./server-metadata.js";
import type { ClientAuthentication, ClientIdentity } from "./token-set.js";

/** What a client that is not there is obtained with. */
export interface Obtaining {
  /** The addresses that it has to be registered with. */
  readonly redirectUris: readonly string[];
  /** Has the server register one. */
  register(search: ClientSearch, redirectUris: readonly string[]): Promise<ClientIdentity>;
  abandonable<T>(work: Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Gives the client that the program was configured with for an authorization server, if there is one. */
export async function findConfigured(search: ClientSearch): Promise<ClientIdentity | undefined> {
  const { metadata, options } = search;
  const { issuer } = metadata;
  const clients = [options.client ?? []].flat();
  const own = clients.find((client) => client.issuer === issuer);
  const open = own === undefined ? clients.filter((client) => client.issuer === undefined) : [];
  for (const client of open) if ((await bindClient(client, search)) === issuer) return toIdentity(client, metadata);
  return own === undefined ? undefined : toIdentity(own, metadata);
}

/** Gets a client from the server where it offers one, else from whoever can be asked. Rejects as `chooseClient` does. */
export async function obtainClient(
  search: ClientSearch,
  { redirectUris, register, abandonable }: Obtaining,
): Promise<ClientIdentity> {
  const { metadata, options, signal } = search;
  let refusal: Error | undefined;
  if (metadata.registrationEndpoint !== undefined) {
    try {
      return await register(search, redirectUris);
    } catch (error) {
      signal.throwIfAborted();
      if (!isRefusal(error)) throw error;
      refusal = metadata.source === "assumed" ? explainAssumed(error) : error;
      if (options.askForClient === undefined) throw refusal;
    }
  }
  const asking = options.askForClient?.({ issuer: metadata.issuer, redirectUris, refusal }, signal);
  // Others wait for their turn to ask: one that is never answered must not hold them up for ever.
  const given = asking === undefined ? undefined : await abandonable(asking, signal);
  if (given === undefined) throw refusal ?? describeMissing(search);
  if (given.issuer !== undefined && given.issuer !== metadata.issuer) throw describeMissing(search);
  return { clientId: given.clientId, authentication: toAuthentication(given, metadata), source: "asked" };
}

/** Makes the error of a client that nothing leads to. */
export function describeMissing(
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

/** Nobody named the address: without a word about that, its answer explains nothing. */
function explainAssumed({ code, message, cause }: MortiseError): MortiseError {
  const why = 'the server publishes nothing about logins, so its own "/register" was asked, as under 2025-03-26';
  return new MortiseError(code, `${message} (${why})`, { cause });
}

/** Whether the server would not register anybody, or could not. */
function isRefusal(error: unknown): error is MortiseError {
  return error instanceof MortiseError && (error.code === "login_failed" || error.code === "login_denied");
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
