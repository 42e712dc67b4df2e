import { isObject, type JsonObject } from "@mortise/core";
import type { CredentialStore } from "./credential-store.js";
import type { ProtectedResource } from "./server-metadata.js";
import type { ClientIdentity, TokenSet } from "./token-set.js";

/** What a login gave for one server, as it is kept. */
export interface LoginRecord {
  /** New with each login, and the same over its refreshes. */
  readonly login: string;
  /** Who gave the tokens: nobody else is ever shown them. */
  readonly issuer: string;
  readonly clientId: string;
  /** The client, where only the store knows it. */
  readonly client?: ClientIdentity | undefined;
  readonly resource: ProtectedResource;
  /** Every scope that was asked for so far. */
  readonly requested?: string | undefined;
  readonly tokens: TokenSet;
  /** When the access token was given, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** The key that the tokens are bound to, where it can be kept. */
  readonly dpopKey?: JsonObject | undefined;
}

/** Before the end of a token by this, at most, a new one is got. */
const LONGEST_SKEW_MS = 30_000;

/** The key that everything about the logins for one server is kept, and locked, under. */
export function keyOf(server: URL): string {
  return `login ${server.href}`;
}

export async function readRecord(store: CredentialStore, server: URL): Promise<LoginRecord | undefined> {
  const value = await store.get(keyOf(server));
  return value !== undefined && isRecord(value) ? value : undefined;
}

export function writeRecord(store: CredentialStore, server: URL, record: LoginRecord): Promise<void> {
  return store.set(keyOf(server), toJson(record));
}

/** Leaves out what is undefined, and with it what tells the kept from the made apart. */
export function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject; // an object that came out of JSON
}

/** What a client is kept as: nothing, where the program itself names it, or its key cannot leave the runtime. */
export function toKeptClient(client: ClientIdentity): ClientIdentity | undefined {
  const { source, authentication } = client;
  if (source !== "registered" && source !== "asked") return undefined;
  return authentication.method === "private_key_jwt" && authentication.key.key instanceof CryptoKey
    ? undefined
    : client;
}

/** Whether two records have the same access token. */
export function isSameToken(one: LoginRecord | undefined, other: LoginRecord | undefined): boolean {
  return one?.tokens.accessToken === other?.tokens.accessToken;
}

/** Whether the access token has come to its end. */
export function isExpired({ tokens: { expiresAt } }: LoginRecord, now: number = Date.now()): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Whether it is time to get a new access token: a little before the end of the old one, by a part of its life. */
export function isDue(record: LoginRecord, now: number = Date.now()): boolean {
  const { tokens, obtainedAt } = record;
  if (tokens.expiresAt === undefined || tokens.refreshToken === undefined) return isExpired(record, now);
  const skew = Math.min(LONGEST_SKEW_MS, (tokens.expiresAt - obtainedAt) / 10);
  return tokens.expiresAt - skew <= now;
}

function isRecord(value: JsonObject): value is JsonObject & LoginRecord {
  const { login, issuer, clientId, resource, tokens, obtainedAt } = value;
  if (typeof login !== "string" || typeof issuer !== "string" || typeof clientId !== "string") return false;
  if (!isObject(resource) || typeof resource.resource !== "string" || !Array.isArray(resource.issuers)) return false;
  if (!isObject(tokens) || typeof obtainedAt !== "number") return false;
  return typeof tokens.accessToken === "string" && (tokens.tokenType === "Bearer" || tokens.tokenType === "DPoP");
}
