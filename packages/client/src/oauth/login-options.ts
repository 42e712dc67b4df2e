import type { CredentialStore } from "./credential-store.js";

/** What every way to log in can be told. */
export interface LoginOptions {
  /** Keeps what logins give. Authorizers, and processes, that share a store share their logins. @default memoryStore() */
  readonly store?: CredentialStore | undefined;
  /** Scopes to ask for besides those that the server needs, separated by blanks. @default none */
  readonly scope?: string | undefined;
  /**
   * Selects one of several authorization servers that a server names.
   * @default the one that gave tokens before, one that `client` is registered with, the first
   */
  readonly selectIssuer?: ((issuers: readonly string[], server: URL) => string | Promise<string>) | undefined;
  /** What is different with an authorization server, by its issuer. @default nothing */
  readonly issuers?: Readonly<Record<string, IssuerOptions>> | undefined;
  /**
   * Whether tokens are bound to a key (DPoP, https://www.rfc-editor.org/rfc/rfc9449.html): `true` where the authorization server
   * offers it, a key pair to do so with that key, `false` never. @default where the server demands it
   */
  readonly dpop?: boolean | { readonly keyPair: CryptoKeyPair } | undefined;
  /**
   * Refuse private addresses and plain http whatever the server's own address is: for programs that log in to servers that their
   * users name. @default false
   */
  readonly hosted?: boolean | undefined;
  /** Gives the IP addresses of a host name, which are then checked too. @default names are not resolved */
  readonly resolve?: ((hostname: string, signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** The `fetch` that authorization servers are asked with. @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * How long a login may take, the user's part included, in milliseconds. `0` and `Infinity` mean no limit.
   * @default 300_000, or 1_800_000 where a code is typed in on another device
   */
  readonly loginTimeout?: number | undefined;
  /** Receives what went wrong without failing a request, such as a refresh that will be tried again. @default silent */
  readonly onError?: ((problem: Error) => void) | undefined;
}

/** Where an authorization server does not follow the specification. */
export interface IssuerOptions {
  /** Do not send `resource`, for servers that refuse it. Their tokens may then be good for other servers too. @default false */
  readonly omitResource?: boolean | undefined;
  /** Log in though the metadata does not say that PKCE is supported. PKCE is used all the same. @default false */
  readonly allowMissingPkce?: boolean | undefined;
}
