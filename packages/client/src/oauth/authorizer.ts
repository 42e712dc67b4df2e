import { HOOK, invalidOptions, isObject, MortiseError } from "@mortise/core";
import type { Authorizer, ProtectedRequest, RequestCredentials } from "../authorizer.js";
import { checkMembers, type Rules } from "../check-members.js";
import { readTimeLimit } from "../deadline.js";
import type { LoginPlace } from "./create-logins.js";
import type { CredentialStore } from "./credential-store.js";
import { HeldLogin } from "./held-login.js";
import type { LoginMethod } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import { isDue } from "./login-record.js";
import { openOnce } from "./open-once.js";
import type { ServerLogins } from "./server-logins.js";

const DEFAULT_LOGIN_TIMEOUT_MS = 300_000;
/** What options have to be. Others are read where they are used. */
const OPTION_RULES: Rules = {
  selectIssuer: HOOK,
  resolve: HOOK,
  fetch: HOOK,
  onError: HOOK,
  scope: ["scopes separated by blanks", (scope) => typeof scope === "string"],
};
const STORE_METHODS = ["get", "set", "delete", "lock"] as const;

/** What an authorizer is made of besides its options. */
export interface AuthorizerParts {
  readonly store: CredentialStore;
  /** Loads what logs in, once for all servers. */
  openMethod(): Promise<LoginMethod>;
  /** The issuers that the client is registered with. */
  readonly known: readonly string[];
}

/** An authorizer whose logins can be reached. */
export interface LoginAuthorizer extends Required<Authorizer> {
  /** The tokens for one server. */
  heldAt(server: URL): HeldLogin;
  /** The logins for one server, loaded with the first that is needed. */
  openLogins(server: URL): Promise<ServerLogins>;
  /** Reports what fails nothing. Never throws. */
  onProblem(problem: Error): void;
}

/** What there is of one server. */
interface Place {
  readonly held: HeldLogin;
  openLogins(): Promise<ServerLogins>;
}

/** Makes what all ways to log in have in common: one state for each server, and the hooks of an `Authorizer`. Throws `invalid_options`. */
export function createAuthorizer(options: LoginOptions, parts: AuthorizerParts): LoginAuthorizer {
  const { loginTimeout = DEFAULT_LOGIN_TIMEOUT_MS } = options;
  checkMembers(options, OPTION_RULES);
  const limit = readTimeLimit("loginTimeout", loginTimeout);
  const places = new Map<string, Place>();
  const onProblem = (problem: Error): void => {
    try {
      options.onError?.(problem);
    } catch {
      // A reporter that fails must not take down what it reports on, and there is nobody left to tell.
      return;
    }
  };
  const at = (server: URL): Place => {
    const known = places.get(server.href);
    if (known !== undefined) return known;
    const dpopKeyPair = readKeyPair(options);
    const held = new HeldLogin({ server, store: parts.store, dpopKeyPair });
    const openRenewal = () => import("./renewal.js");
    const logins = { server, dpopKeyPair, held, loginTimeout: limit, openRenewal, onProblem };
    const place = { held, openLogins: openOnce(() => loadLogins(logins, { ...options, ...parts })) };
    places.set(server.href, place);
    return place;
  };
  const authorize = (
    request: ProtectedRequest,
    signal: AbortSignal,
  ): RequestCredentials | undefined | Promise<RequestCredentials | undefined> => {
    const { held, openLogins } = at(request.server);
    if (!held.isLoaded) return held.load().then(() => authorize(request, signal));
    const { record } = held;
    if (record === undefined) return undefined;
    if (!isDue(record)) return held.createCredentials(record, request);
    return openLogins().then((logins) => logins.authorizeAnew(request, signal));
  };
  return {
    heldAt: (server) => at(server).held,
    openLogins: (server) => at(server).openLogins(),
    onProblem,
    authorize,
    refused: async (refusal, signal) => (await at(refusal.server).openLogins()).refused(refusal, signal),
    answered: (answer) => at(answer.server).held.learn(answer),
    context: (server) => places.get(server.href)?.held.context,
  };
}

/** Reads a store that was given. Throws `invalid_options`. */
export function checkStore(store: CredentialStore): CredentialStore {
  if (isObject(store) && STORE_METHODS.every((name) => typeof store[name] === "function")) return store;
  throw invalidOptions(`"store" to be an object with ${STORE_METHODS.join(", ")}`);
}

async function loadLogins(place: LoginPlace, options: LoginOptions & AuthorizerParts): Promise<ServerLogins> {
  try {
    const [{ createLogins }, method] = await Promise.all([import("./logins.js"), options.openMethod()]);
    return createLogins(place, method, options);
  } catch (error) {
    throw new MortiseError("login_failed", "Could not load what a login takes", { cause: error });
  }
}

function readKeyPair({ dpop }: LoginOptions): CryptoKeyPair | undefined {
  return typeof dpop === "object" ? dpop.keyPair : undefined;
}
