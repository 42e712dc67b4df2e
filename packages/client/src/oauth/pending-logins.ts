import { isObject, type JsonObject } from "@mortise/core";
import type { CredentialStore } from "./credential-store.js";
import { toJson } from "./login-record.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";
import type { ClientIdentity } from "./token-set.js";

/** What is known of a login while the user is at the login page: all that its answer is judged and redeemed with. */
export interface PendingLogin {
  /** The address of the MCP endpoint that the login is for. */
  readonly server: string;
  /** The authorization server as the protected server names it. */
  readonly issuer: string;
  readonly resource: ProtectedResource;
  /** As it was validated before the user was sent anywhere. */
  readonly metadata: ServerMetadata;
  readonly clientId: string;
  /** The client, where only the store knows it. */
  readonly client?: ClientIdentity | undefined;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly scope?: string | undefined;
  readonly dpopKey?: JsonObject | undefined;
  readonly dpop: boolean;
  /** When the answer comes too late, in milliseconds since 1970. */
  readonly endsAt: number;
}

const KEY = "pending logins";
/** Logins that nobody came back from are forgotten; more than this at once are nobody's. */
const MOST_PENDING = 16;

/** Keeps a login under its state, and forgets those whose time is over. */
export function keepPending(store: CredentialStore, state: string, login: PendingLogin): Promise<void> {
  return store.lock(KEY, async () => {
    const all = Object.entries((await store.get(KEY)) ?? {});
    const open = all.filter(([, kept]) => isPending(kept) && kept.endsAt > Date.now());
    await store.set(KEY, Object.fromEntries([...open.slice(1 - MOST_PENDING), [state, toJson(login)]]));
  });
}

/** Takes a login out: whoever comes second with the same state gets nothing. */
export function takePending(store: CredentialStore, state: string): Promise<PendingLogin | undefined> {
  return store.lock(KEY, async () => {
    const all = (await store.get(KEY)) ?? {};
    if (!Object.hasOwn(all, state)) return undefined;
    const { [state]: kept, ...rest } = all;
    if (Object.keys(rest).length === 0) await store.delete(KEY);
    else await store.set(KEY, rest);
    return isPending(kept) && kept.endsAt > Date.now() ? kept : undefined;
  });
}

function isPending(value: unknown): value is PendingLogin {
  if (!isObject(value) || !isObject(value.resource) || !isObject(value.metadata)) return false;
  if (typeof value.metadata.issuer !== "string" || typeof value.metadata.tokenEndpoint !== "string") return false;
  const texts = [value.server, value.issuer, value.clientId, value.redirectUri, value.verifier];
  return texts.every((text) => typeof text === "string") && typeof value.endsAt === "number";
}
