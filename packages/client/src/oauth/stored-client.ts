import { isObject, type JsonObject } from "@mortise/core";
import { isLoopback } from "./address-rules.js";
import type { CredentialStore } from "./credential-store.js";
import { readStrings } from "./find-document.js";
import { readRefusal } from "./token-refusal.js";
import type { ClientAuthentication, ClientIdentity } from "./token-set.js";

/** The key that clients of an issuer are kept under; those with unusual grants apart. */
export function nameClientKey(issuer: string, grantTypes?: readonly string[]): string {
  return grantTypes === undefined ? `client ${issuer}` : `client ${issuer} ${grantTypes.join(" ")}`;
}

/** Reads what is kept of a client; `undefined` for what another program or version left there, or whose secret has ended. */
export function readStoredClient(record: JsonObject | undefined): ClientIdentity | undefined {
  if (record === undefined || typeof record.clientId !== "string") return undefined;
  const authentication = readAuthentication(record);
  const secretExpiresAt = typeof record.secretExpiresAt === "number" ? record.secretExpiresAt : undefined;
  if (authentication === undefined || (secretExpiresAt !== undefined && secretExpiresAt <= Date.now()))
    return undefined;
  return {
    clientId: record.clientId,
    authentication,
    redirectUris: readStrings(record.redirectUris),
    secretExpiresAt,
    source: record.source === "asked" ? "asked" : "registered",
  };
}

/** Writes a client as it is kept; `undefined` for one whose key cannot be. */
export function writeStoredClient({ authentication, ...client }: ClientIdentity): JsonObject | undefined {
  if (authentication.method === "none") return { ...client, method: "none" };
  if (authentication.method !== "private_key_jwt") return { ...client, ...authentication };
  const { key } = authentication.key;
  return typeof key === "string" || isPlain(key) ? { ...client, ...authentication } : undefined;
}

/** Where a client is kept. */
export interface ClientPlace {
  readonly store: CredentialStore;
  readonly issuer: string;
  readonly grantTypes?: readonly string[] | undefined;
}

/** Forgets a client that the server says it does not know, if another can be had: the next login gets that. */
export async function forgetUnknown(
  { store, issuer, grantTypes }: ClientPlace,
  client: ClientIdentity,
  error: unknown,
): Promise<void> {
  const canHaveAnother = client.source === "registered" || client.source === "asked";
  if (!canHaveAnother || readRefusal(error)?.error !== "invalid_client") return;
  const key = nameClientKey(issuer, grantTypes);
  // Somebody else may have got another one meanwhile.
  if ((await store.get(key))?.clientId === client.clientId) await store.delete(key);
}

/**
 * Tells whether one of the registered addresses is one that answers may come back to. A loopback address without a port stands for
 * every port. Nothing registered is known of clients that somebody else registered.
 */
export function coversRedirect(registered: readonly string[] | undefined, uris: readonly string[]): boolean {
  if (registered === undefined || uris.length === 0) return true;
  return registered.some((one) => uris.some((uri) => one === uri || isAnyPort(one, uri) || isAnyPort(uri, one)));
}

/** Whether an address is a loopback one without a port, and another the same with one. */
function isAnyPort(open: string, uri: string): boolean {
  if (!URL.canParse(open) || !URL.canParse(uri)) return false;
  const [one, other] = [new URL(open), new URL(uri)];
  if (one.port !== "" || one.protocol !== "http:" || !isLoopback(one.hostname)) return false;
  other.port = "";
  return one.href === other.href;
}

function readAuthentication({ method, secret, key }: JsonObject): ClientAuthentication | undefined {
  if (method === "none") return { method };
  if ((method === "client_secret_basic" || method === "client_secret_post") && typeof secret === "string")
    return { method, secret };
  if (method !== "private_key_jwt" || !isObject(key)) return undefined;
  const { key: inner, algorithm, keyId } = key;
  if (typeof inner !== "string" && !isObject(inner)) return undefined;
  return {
    method,
    key: {
      key: inner,
      algorithm: typeof algorithm === "string" ? algorithm : undefined,
      keyId: typeof keyId === "string" ? keyId : undefined,
    },
  };
}

/** Keys of the runtime are objects too, with a prototype of their own. */
function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
