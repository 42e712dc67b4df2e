import type { ClientAuthentication, SigningKey } from "./token-set.js";

/** A client that somebody registered at an authorization server. */
export interface RegisteredClient {
  /** The issuer of that server, exactly as it publishes it. @default the first authorization server that the client is used with */
  readonly issuer?: string | undefined;
  readonly clientId: string;
  readonly secret?: string | undefined;
  /** A private key that the server knows, in place of a secret. */
  readonly key?: SigningKey | undefined;
  /** How the client proves who it is. @default what fits the secret or key and is listed by the server */
  readonly method?: ClientAuthentication["method"] | undefined;
}

/**
 * What a dynamic registration tells about the client, in the words of https://www.rfc-editor.org/rfc/rfc7591.html#section-2.
 * Redirect addresses are added to it.
 */
export interface ClientMetadata {
  /** @default "MCP client" */
  readonly client_name?: string | undefined;
  readonly client_uri?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly contacts?: readonly string[] | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly software_id?: string | undefined;
  readonly software_version?: string | undefined;
  readonly [member: string]: unknown;
}

/** Which client somebody is asked for. */
export interface ClientQuestion {
  /** The authorization server where a client has to be registered. */
  readonly issuer: string;
  /** The addresses that it has to be registered with. */
  readonly redirectUris: readonly string[];
  /** Why the server did not register one by itself; `undefined` when it does not offer to. */
  readonly refusal?: Error | undefined;
}

/** Which client an authorization server is shown. They are tried in this order. */
export interface ClientOptions {
  /** What was registered beforehand. Each is shown to its own authorization server only. @default none */
  readonly client?: RegisteredClient | readonly RegisteredClient[] | undefined;
  /** The address of the client's own metadata document: https, with a path. Servers that support it need no registration. @default none */
  readonly clientMetadataUrl?: string | undefined;
  /** What dynamic registrations tell about the client. */
  readonly clientMetadata?: ClientMetadata | undefined;
  /** Asks for a client where nothing else leads to one. What it gives is kept in the store. @default nobody is asked */
  readonly askForClient?:
    | ((question: ClientQuestion, signal: AbortSignal) => Promise<RegisteredClient | undefined>)
    | undefined;
}
