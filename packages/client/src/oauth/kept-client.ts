import { isObject, type JsonObject } from "@mortise/core";
import type { ClientAuthentication, ClientIdentity } from "./token-set.js";

/** Reads what is kept of a client; `undefined` for what another program or version left there, or whose secret has ended. */
export function readKeptClient(record: JsonObject): ClientIdentity | undefined {
  if (typeof record.clientId !== "string") return undefined;
  const authentication = readAuthentication(record);
  const secretExpiresAt = typeof record.secretExpiresAt === "number" ? record.secretExpiresAt : undefined;
  if (authentication === undefined || (secretExpiresAt !== undefined && secretExpiresAt <= Date.now()))
    return undefined;
  const { redirectUris: uris } = record;
  return {
    clientId: record.clientId,
    authentication,
    redirectUris: Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string" && uri !== "") : undefined,
    secretExpiresAt,
    source: record.source === "asked" ? "asked" : "registered",
  };
}

/** Writes a client that proves who it is as it is kept; `undefined` for one whose key cannot be. */
export function writeKeptClient({ authentication, ...client }: ClientIdentity): JsonObject | undefined {
  const isKept = authentication.method !== "private_key_jwt" || isKeepable(authentication.key.key);
  return isKept ? { ...client, ...authentication } : undefined;
}

/**
 * Tells whether one of the registered addresses is one that answers may come back to. A loopback address without a port stands for
 * every port. Nothing registered is known of clients that somebody else registered.
 */
export function coversRedirect(
  registered: readonly string[] | undefined,
  uris: readonly string[],
  isLoopback: (hostname: string) => boolean,
): boolean {
  if (registered === undefined || uris.length === 0) return true;
  const isAnyPort = (one: string, other: string): boolean => isWithoutPort(one, isLoopback) && isSameElse(one, other);
  return registered.some((one) => uris.some((uri) => one === uri || isAnyPort(one, uri) || isAnyPort(uri, one)));
}

/** Whether an address is a loopback one that names no port. */
function isWithoutPort(uri: string, isLoopback: (hostname: string) => boolean): boolean {
  if (!URL.canParse(uri)) return false;
  const { port, protocol, hostname } = new URL(uri);
  return port === "" && protocol === "http:" && isLoopback(hostname);
}

/** Whether an address is another one, but for its port. */
function isSameElse(one: string, other: string): boolean {
  if (!URL.canParse(other)) return false;
  const url = new URL(other);
  url.port = "";
  return new URL(one).href === url.href;
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
function isKeepable(key: unknown): boolean {
  return typeof key === "string" || (isObject(key) && Object.getPrototypeOf(key) === Object.prototype);
}
