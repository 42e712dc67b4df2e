import { MortiseError } from "@mortise/core";
import * as oauth from "oauth4webapi";
import { abandonable } from "./abandonable.js";
import { checkLoginUrl } from "./address-rules.js";
import type { ClientOptions } from "./client-options.js";
import { readCode } from "./code-answer.js";
import type { CredentialStore } from "./credential-store.js";
import { findIssuerOptions } from "./issuer-options.js";
import { loginFailure } from "./login-failure.js";
import type { ClientLookup, LoginContext, LoginMethod, LoginOutcome } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import { toKeptClient } from "./login-record.js";
import { keepPending, type PendingLogin, takePending } from "./pending-logins.js";
import type { OpenRedirect, Redirect } from "./redirect.js";
import { type ClientSearch, chooseClient, findClient } from "./registration.js";
import type { ServerMetadata } from "./server-metadata.js";
import { forgetUnknown } from "./stored-client.js";
import type { TokenEndpoint } from "./token-endpoint.js";
import type { ClientIdentity, TokenSet } from "./token-set.js";

/** What logins through a login page are made with. */
export interface CodeFlowOptions {
  readonly redirect: Redirect;
  readonly store: CredentialStore;
  readonly clients: ClientOptions;
  /** What is different with an issuer. */
  readonly issuers: LoginOptions["issuers"];
}

/** Logins with a login page. */
export interface CodeFlow extends LoginMethod {
  /**
   * Hands an answer to the login of this process that waits for it, waits for what becomes of it, and gives the server it was for;
   * `undefined` when none waits. Rejects as that login does.
   */
  deliver(state: string, params: URLSearchParams): Promise<URL> | undefined;
}

/** An answer that came back from a login page, and what it is judged and redeemed with. */
export interface CodeAnswer {
  readonly login: PendingLogin;
  readonly state: string;
  readonly params: URLSearchParams;
}

/**
 * Makes logins with an authorization code and PKCE. All that one login is judged and redeemed with is one record in the store, kept
 * under its state and taken out by the first answer.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-flow-steps
 */
export function createCodeFlow(options: CodeFlowOptions): CodeFlow {
  const visits = new Map<string, Visit>();
  return {
    interactive: true,
    findClient: (lookup) => findClient(toSearch(options, lookup)),
    login(context) {
      const state = oauth.generateRandomState();
      let deliver: Visit["deliver"] = () => undefined;
      const delivered = new Promise<URLSearchParams>((resolve) => {
        deliver = resolve;
      });
      const outcome = login(options, context, { state, delivered });
      const redeemed = outcome.then(() => context.server);
      redeemed.catch(() => undefined); // told to whoever waits for the outcome
      visits.set(state, { deliver, redeemed });
      return outcome.finally(() => visits.delete(state));
    },
    deliver(state, params) {
      const visit = visits.get(state);
      visit?.deliver(params);
      return visit?.redeemed;
    },
  };
}

/** A login page that this process shows, or is about to. */
interface Visit {
  deliver(params: URLSearchParams): void;
  readonly redeemed: Promise<URL>;
}

/** By what the answer of a login page is known, and an answer that comes by another way than the redirect. */
interface Return {
  readonly state: string;
  readonly delivered: Promise<URLSearchParams>;
}

/** Judges an answer and gets the tokens for it. Nobody can call that off: the code is good for this one request. */
export async function redeemAnswer({ login, state, params }: CodeAnswer, endpoint: TokenEndpoint): Promise<TokenSet> {
  const { metadata, clientId, redirectUri, verifier, scope } = login;
  const code = await readCode(params, { metadata, clientId, state });
  return await endpoint.exchangeCode({ code, redirectUri, verifier, scope }, new AbortController().signal);
}

async function login(options: CodeFlowOptions, context: LoginContext, back: Return): Promise<LoginOutcome> {
  const { redirect, store } = options;
  const { metadata, signal } = context;
  await checkPkce(metadata, options.issuers);
  const search = toSearch(options, context);
  const registered = (await findClient(search))?.redirectUris ?? [];
  const open = await openRedirect(redirect, registered, signal);
  try {
    const client = await abandonable(chooseClient({ ...search, redirectUri: open.uri }), signal);
    const { state } = back;
    const pending = describeLogin(context, client, open);
    const url = await buildLoginUrl(context, pending, state);
    await keepPending(store, state, pending);
    const params = await visit(store, context, { open, url, back });
    const kept = await takePending(store, state);
    if (kept === undefined) throw await loginFailure("usedAnswer");
    try {
      const tokens = await redeemAnswer({ login: kept, state, params }, context.createEndpoint(client));
      return { client, tokens };
    } catch (error) {
      await forgetUnknown({ store, issuer: metadata.issuer }, client, error);
      throw error;
    }
  } finally {
    open.close();
  }
}

async function openRedirect(
  redirect: Redirect,
  registered: readonly string[],
  signal: AbortSignal,
): Promise<OpenRedirect> {
  const opening = redirect.open({ registered, signal });
  try {
    return await abandonable(opening, signal);
  } catch (error) {
    // What opens later than anybody waits for is closed at once; what failed has been told.
    opening.then(
      (open) => open.close(),
      () => undefined,
    );
    throw error;
  }
}

function toSearch(
  { redirect, store, clients }: CodeFlowOptions,
  { metadata, send, signal }: ClientLookup,
): ClientSearch {
  return { metadata, options: clients, redirect, store, send, signal };
}

async function visit(
  store: CredentialStore,
  { signal }: LoginContext,
  { open, url, back }: { readonly open: OpenRedirect; readonly url: URL; readonly back: Return },
): Promise<URLSearchParams> {
  const { state, delivered } = back;
  try {
    return await abandonable(Promise.race([open.visit(url, { state, signal }), delivered]), signal);
  } catch (error) {
    // When only nobody waits any more, the answer may still be brought to `finish()`, by another page or process.
    if (!signal.aborted) await takePending(store, state);
    if (signal.aborted || error instanceof MortiseError) throw error;
    throw new MortiseError("login_failed", "The login page could not be shown", { cause: error });
  }
}

function describeLogin(context: LoginContext, client: ClientIdentity, { uri }: OpenRedirect): PendingLogin {
  const { server, issuer, resource, metadata, scope, dpop, endsAt } = context;
  return {
    server: server.href,
    issuer,
    resource,
    metadata,
    clientId: client.clientId,
    client: toKeptClient(client),
    redirectUri: uri,
    verifier: oauth.generateRandomCodeVerifier(),
    scope,
    dpop: dpop !== undefined,
    dpopKey: dpop?.stored,
    endsAt,
  };
}

async function buildLoginUrl(context: LoginContext, pending: PendingLogin, state: string): Promise<URL> {
  const { authorizationEndpoint, issuer } = context.metadata;
  if (authorizationEndpoint === undefined) throw await loginFailure("noLoginPage", issuer);
  const url = checkLoginUrl(authorizationEndpoint, '"authorization_endpoint" of the authorization server\'s metadata');
  const params = {
    response_type: "code",
    client_id: pending.clientId,
    redirect_uri: pending.redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
    resource: context.resourceName,
    scope: context.scope,
    // OpenID Connect gives refresh tokens only to those who let the user agree anew.
    prompt: context.scope?.split(" ").includes("offline_access") === true ? "consent" : undefined,
    dpop_jkt: await context.dpop?.thumbprint(),
  };
  for (const [name, value] of Object.entries(params)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/**
 * Refuses servers that do not say that they support PKCE with S256.
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#authorization-code-protection
 */
async function checkPkce(
  { issuer, codeChallengeMethodsSupported: methods }: ServerMetadata,
  issuers: LoginOptions["issuers"],
): Promise<void> {
  const mayOmit = findIssuerOptions(issuers, issuer)?.allowMissingPkce === true;
  if (methods === undefined ? mayOmit : methods.includes("S256")) return;
  throw await loginFailure(methods === undefined ? "missingPkce" : "otherPkce", issuer);
}
