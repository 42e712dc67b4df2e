import { MortiseError } from "@mortise/core";
import type { LoginAuthorizer } from "./authorizer.js";
import type { CodeFlow } from "./code-flow.js";
import type { CredentialStore } from "./credential-store.js";

/** Where logins are kept, and where they count. */
export interface FinishParts {
  readonly authorizer: LoginAuthorizer;
  readonly store: CredentialStore;
  /** Gives the logins with a login page that this process has begun. */
  readonly openFlow: (() => Promise<CodeFlow>) | undefined;
}

/** Finishes the login that an address holds the answer of, and gives the server it was for; `undefined` when none waits for it. */
export async function finishLogin(parts: FinishParts, url: string | URL): Promise<URL | undefined> {
  const { searchParams } = readAnswer(url);
  const state = searchParams.get("state");
  if (state === null) return undefined;
  const delivered = (await parts.openFlow?.())?.deliver(state, searchParams);
  return await (delivered ?? redeem(parts, state, searchParams));
}

/** Programs that serve a page know its address without the origin. What is no address is not shown: it may hold a code. */
function readAnswer(url: string | URL): URL {
  if (URL.canParse(String(url), "http://localhost")) return new URL(url, "http://localhost");
  throw new MortiseError("invalid_options", "Expected the address that the login came back to, with its query");
}

/** Redeems an answer with the record that the store has of its login, and gives the server it was for; `undefined` when there is none. */
async function redeem(
  { authorizer, store }: FinishParts,
  state: string,
  params: URLSearchParams,
): Promise<URL | undefined> {
  const { createEndpoint, forgetUnknown, keepLogin, openDpop, redeemAnswer, takePending } = await import("./logins.js");
  const login = await takePending(store, state);
  if (login === undefined) return undefined;
  const server = new URL(login.server);
  const logins = await authorizer.openLogins(server);
  const { host } = logins.work;
  const { metadata, resource, scope } = login;
  const { signal } = new AbortController();
  const client = login.client ?? (await host.method.findClient({ metadata, send: host.send, signal }));
  if (client?.clientId !== login.clientId)
    throw new MortiseError("login_failed", "The client is not the one that the login was begun with");
  const dpop = login.dpop ? await openDpop({ keyPair: host.dpopKeyPair, stored: login.dpopKey }) : undefined;
  const endpoint = createEndpoint(host, { metadata, resource, client, dpop, demandsDpop: false });
  const tokens = await redeemAnswer({ login, state, params }, endpoint).catch(async (error: unknown) => {
    await forgetUnknown({ store, issuer: metadata.issuer }, client, error);
    throw error;
  });
  const record = await keepLogin(host, login, { client, tokens, scope, dpop, previous: undefined });
  logins.finish(record);
  return server;
}
