import { MortiseError } from "@mortise/core";
import type { LoginRecord } from "./login-record.js";
import type { LoginHost } from "./login-work.js";
import type { TokenEndpoint } from "./token-endpoint.js";
import type { TokenRefusal } from "./token-refusal.js";
import type { TokenSet } from "./token-set.js";

/** Refusals that say nothing about the refresh token. */
const PASSING: ReadonlySet<string> = new Set(["temporarily_unavailable", "server_error", "slow_down"]);

/**
 * Gets new tokens with the refresh token that the store has, unless somebody who shares it was faster. Nobody can call that off: the
 * old token may be spent once it is sent. Gives the record as it is then: with another access token, or with the old one and no
 * refresh token when that is of no use any more; `undefined` when there is none. Rejects, and keeps the token, when it may be tried
 * again later.
 */
export async function refreshLogin(host: LoginHost, stale: LoginRecord): Promise<LoginRecord | undefined> {
  const { isExpired, keyOf, readRecord, writeRecord } = await import("./logins.js");
  const { server, store } = host;
  return await store.lock(keyOf(server), async () => {
    const current = await readRecord(store, server);
    if (current === undefined || current.tokens.refreshToken === undefined) return current;
    if (current.tokens.accessToken !== stale.tokens.accessToken && !isExpired(current)) return current;
    const tokens = await exchangeRefresh(host, current);
    const record: LoginRecord =
      tokens === undefined
        ? { ...current, tokens: { ...current.tokens, refreshToken: undefined } }
        : { ...current, tokens, obtainedAt: Date.now() };
    await writeRecord(store, server, record);
    return record;
  });
}

/** The new tokens; `undefined` when the refresh token is of no use any more. */
async function exchangeRefresh(host: LoginHost, record: LoginRecord): Promise<TokenSet | undefined> {
  const { createEndpoint, discoverServer, forgetUnknown, openDpop, readRefusal } = await import("./logins.js");
  const { store, send, method } = host;
  const { issuer, resource, tokens } = record;
  const { signal } = new AbortController();
  // The one who gave the token is asked, and nobody else, whoever the server names now.
  const metadata = await discoverServer({ issuer, resource, send, signal, trusted: true });
  const client = record.client ?? (await method.findClient({ metadata, send, signal }));
  if (client?.clientId !== record.clientId) return undefined;
  const isBound = tokens.tokenType === "DPoP";
  const dpop = isBound ? await openDpop({ keyPair: host.dpopKeyPair, stored: record.dpopKey }) : undefined;
  try {
    const endpoint = createEndpoint(host, { metadata, resource, client, dpop, demandsDpop: isBound });
    return await refreshTokens(endpoint, tokens, signal);
  } catch (error) {
    if (!isFinal(readRefusal(error))) throw error;
    await forgetUnknown({ store, issuer: metadata.issuer, grantTypes: method.grantTypes }, client, error);
    return undefined;
  }
}

/** Whether a refusal is about the refresh token. Some servers give no reason in words, and a proxy on the way may have others. */
function isFinal(refusal: TokenRefusal | undefined): boolean {
  if (refusal === undefined || refusal.status >= 500 || refusal.status === 429) return false;
  if (refusal.error === undefined) return refusal.status === 400 || refusal.status === 401;
  return !PASSING.has(refusal.error);
}

/**
 * Gets new tokens for a refresh token. What the server leaves out, such as the refresh token itself, is kept from the old set.
 * Rejects with `login_required` when there is no refresh token.
 */
export async function refreshTokens(endpoint: TokenEndpoint, old: TokenSet, signal: AbortSignal): Promise<TokenSet> {
  if (old.refreshToken === undefined)
    throw new MortiseError("login_required", "There is no refresh token to get new tokens with");
  const fresh = await endpoint.grant("refresh_token", { refresh_token: old.refreshToken }, signal);
  return {
    ...fresh,
    refreshToken: fresh.refreshToken ?? old.refreshToken,
    scope: fresh.scope ?? old.scope,
    idToken: fresh.idToken ?? old.idToken,
  };
}
