import { invalidOptions, MortiseError } from "@mortise/core";
import type { Authorizer } from "../authorizer.js";
import { abandonable } from "./abandonable.js";
import { checkStore, createAuthorizer, type LoginAuthorizer } from "./authorizer.js";
import { checkClientOptions } from "./check-client-options.js";
import type { ClientOptions } from "./client-options.js";
import type { CodeFlow } from "./code-flow.js";
import type { CredentialStore } from "./credential-store.js";
import type { DeviceCode } from "./grants/device-code.js";
import type { LoginMethod } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import { memoryStore } from "./memory-store.js";
import { openOnce } from "./open-once.js";
import type { Redirect } from "./redirect.js";

/** As long as most codes for another device live. */
const DEVICE_LOGIN_TIMEOUT_MS = 1_800_000;

/** How users log in, and which client they log in with. */
export interface OAuthOptions extends LoginOptions, ClientOptions {
  /** How users get to a login page and back. @default none: servers that need a login are refused with `login_required` */
  readonly redirect?: Redirect | undefined;
  /** Shows a code to type in on another device, where there is no `redirect` and the authorization server offers it. @default none */
  readonly onDeviceCode?: ((code: DeviceCode, signal: AbortSignal) => void | Promise<void>) | undefined;
}

/** What a login up front can be told. */
export interface LoginRequest {
  /** Scopes to ask for, separated by blanks, besides all that were asked for before. @default those that the server names */
  readonly scope?: string | undefined;
  /** Gives the login up: it rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets clients in to servers that users log in to. */
export interface OAuth extends Authorizer {
  /**
   * Logs in before a server asks for it, or anew, such as after a click that lets a window open. Rejects with `login_required`,
   * `login_denied`, `login_failed`, `address_refused` or `aborted`.
   */
  login(server: string | URL, request?: LoginRequest): Promise<void>;
  /**
   * Finishes a login whose answer came back to a page or program of its own, at this address or path with its query: gives the server that it was for, and `undefined`
   * when the address holds no answer that is waited for, such as one that was used already. Rejects as `login` does.
   */
  finish(url: string | URL): Promise<URL | undefined>;
  /** Forgets the tokens for a server, and tells the authorization server where it can be told. What that says goes to `onError`. */
  logout(server: string | URL): Promise<void>;
}

/**
 * Makes the authorizer of programs that act for a user: it logs in when a server asks for it, gets new tokens before the old ones end,
 * and asks for more rights when a request needs them. Throws `invalid_options`.
 *
 * See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 *
 * @example
 * const auth = oauth({ redirect: loopbackRedirect(), store: fileStore("credentials.json") });
 * const client = new MCPClient({ url: "https://example.com/mcp", auth });
 */
export function oauth(options: OAuthOptions = {}): OAuth {
  checkClientOptions(options);
  const store = options.store === undefined ? memoryStore() : checkStore(options.store);
  const { redirect, loginTimeout = redirect === undefined ? DEVICE_LOGIN_TIMEOUT_MS : undefined } = options;
  const openFlow = redirect && openOnce(() => createFlow(options, redirect, store));
  const openMethod = openFlow ?? (() => openDeviceMethod(options, store));
  const clients = [options.client ?? []].flat();
  const known = clients.map(({ issuer }) => issuer).filter((issuer) => issuer !== undefined);
  const authorizer = createAuthorizer({ ...options, loginTimeout }, { store, openMethod, known });
  return {
    authorize: authorizer.authorize,
    refused: authorizer.refused,
    answered: authorizer.answered,
    context: authorizer.context,
    async login(server, { scope, signal } = {}) {
      try {
        const logins = await abandonable(authorizer.openLogins(readServer(server)), signal);
        await logins.login(scope, signal);
      } catch (error) {
        if (signal?.aborted !== true) throw error;
        throw new MortiseError("aborted", "The login was given up by its signal", { cause: error });
      }
    },
    async finish(url) {
      const { finishLogin } = await import("./finish-login.js");
      return finishLogin({ authorizer, store, openFlow }, url);
    },
    logout: (server) => logout(authorizer, readServer(server)),
  };
}

async function createFlow(options: OAuthOptions, redirect: Redirect, store: CredentialStore): Promise<CodeFlow> {
  const { createCodeFlow } = await import("./logins.js");
  return createCodeFlow({ redirect, store, clients: options, issuers: options.issuers });
}

/** Without a way to a login page, a code for another device is what is left. */
async function openDeviceMethod(options: OAuthOptions, store: CredentialStore): Promise<LoginMethod> {
  const { createDeviceMethod } = await import("./device-method.js");
  return createDeviceMethod(options, store);
}

async function logout(authorizer: LoginAuthorizer, server: URL): Promise<void> {
  const record = await authorizer.heldAt(server).forget();
  if (record === undefined) return;
  try {
    const { revokeLogin } = await import("./revoke-login.js");
    await revokeLogin((await authorizer.openLogins(server)).work.host, record);
  } catch (error) {
    authorizer.onProblem(error instanceof Error ? error : new Error(String(error)));
  }
}

/** The address of a server, as clients know it. */
function readServer(server: string | URL): URL {
  if (!URL.canParse(String(server))) throw invalidOptions("the server to be an absolute http: or https: address");
  const url = new URL(server);
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}
