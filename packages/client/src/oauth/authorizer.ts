import { describeType, isObject, MortiseError } from "@mortise/core";
import type { Authorizer } from "../authorizer.js";
import { readTimeLimit } from "../deadline.js";
import type { CredentialStore } from "./credential-store.js";
import type { LoginMethod } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import type { LoginHost, LoginWork } from "./login-work.js";
import { ServerLogins } from "./server-logins.js";

const DEFAULT_LOGIN_TIMEOUT_MS = 300_000;
const HOOKS = ["selectIssuer", "resolve", "fetch", "onError"] as const;
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
  /** The logins for one server. */
  at(server: URL): ServerLogins;
  /** What talks to authorization servers, for one protected server. */
  openWork(server: URL): Promise<LoginWork>;
  /** Reports what fails nothing. Never throws. */
  onProblem(problem: Error): void;
}

/** Makes what all ways to log in have in common: one state for each server, and the hooks of an `Authorizer`. Throws `invalid_options`. */
export function createAuthorizer(options: LoginOptions, parts: AuthorizerParts): LoginAuthorizer {
  const { loginTimeout = DEFAULT_LOGIN_TIMEOUT_MS } = options;
  checkOptions(options);
  const limit = readTimeLimit("loginTimeout", loginTimeout);
  const byServer = new Map<string, ServerLogins>();
  const onProblem = (problem: Error): void => {
    try {
      options.onError?.(problem);
    } catch {
      // A reporter that fails must not take down what it reports on, and there is nobody left to tell.
      return;
    }
  };
  const works = new Map<string, Promise<LoginWork>>();
  const openWork = (server: URL): Promise<LoginWork> => {
    const opening = works.get(server.href) ?? loadWork(server, options, parts);
    works.set(server.href, opening);
    // What could not be loaded now may be later.
    opening.catch(() => works.delete(server.href));
    return opening;
  };
  const at = (server: URL): ServerLogins => {
    const known = byServer.get(server.href);
    if (known !== undefined) return known;
    const logins = new ServerLogins({
      server,
      store: parts.store,
      dpopKeyPair: readKeyPair(options),
      prefersDpop: readDpop(options) === "offered",
      loginTimeout: limit,
      openWork: () => openWork(server),
      onProblem,
    });
    byServer.set(server.href, logins);
    return logins;
  };
  return {
    at,
    openWork,
    onProblem,
    authorize: (request, signal) => at(request.server).authorize(request, signal),
    refused: (refusal, signal) => at(refusal.server).refused(refusal, signal),
    answered: (answer) => at(answer.server).answered(answer),
    context: (server) => byServer.get(server.href)?.context,
  };
}

/** Reads a store that was given. Throws `invalid_options`. */
export function checkStore(store: CredentialStore): CredentialStore {
  if (isObject(store) && STORE_METHODS.every((name) => typeof store[name] === "function")) return store;
  throw new MortiseError("invalid_options", `Expected "store" to be an object with ${STORE_METHODS.join(", ")}`);
}

async function loadWork(server: URL, options: LoginOptions, parts: AuthorizerParts): Promise<LoginWork> {
  const { scope, selectIssuer, issuers = {}, hosted = false, resolve, fetch } = options;
  const { store, known, openMethod } = parts;
  const [{ createLoginWork }, { createSendGuarded }, method] = await Promise.all([
    import("./login-work.js"),
    import("./guarded-fetch.js"),
    openMethod(),
  ]);
  const host: LoginHost = {
    server,
    store,
    method,
    send: createSendGuarded({ server, fetch, hosted, resolve }),
    wanted: scope,
    choice: { known, select: selectIssuer },
    dpop: readDpop(options),
    dpopKeyPair: readKeyPair(options),
    omitsResource: (issuer) => Object.hasOwn(issuers, issuer) && issuers[issuer]?.omitResource === true,
  };
  return createLoginWork(host);
}

function readDpop({ dpop }: LoginOptions): LoginHost["dpop"] {
  if (dpop === false) return "never";
  return dpop === undefined ? "demanded" : "offered";
}

function readKeyPair({ dpop }: LoginOptions): CryptoKeyPair | undefined {
  return typeof dpop === "object" ? dpop.keyPair : undefined;
}

function checkOptions(options: LoginOptions): void {
  for (const hook of HOOKS) {
    if (options[hook] !== undefined && typeof options[hook] !== "function")
      throw new MortiseError(
        "invalid_options",
        `Expected "${hook}" to be a function, received ${describeType(options[hook])}`,
      );
  }
  if (options.scope !== undefined && typeof options.scope !== "string")
    throw new MortiseError(
      "invalid_options",
      `Expected "scope" to be scopes separated by blanks, received ${describeType(options.scope)}`,
    );
}
