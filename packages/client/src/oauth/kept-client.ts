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
