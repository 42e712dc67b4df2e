import type { Dpop } from "./dpop.js";
import type { SendGuarded } from "./guarded-request.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";
import type { TokenEndpoint } from "./token-endpoint.js";
import type { ClientIdentity, TokenSet } from "./token-set.js";

/** How one kind of authorizer logs in: the part that is not the same for all of them. */
export interface LoginMethod {
  /** Whether a person is asked. */
  readonly interactive: boolean;
  /** The grants that its clients are registered for. @default the code flow and refresh tokens */
  readonly grantTypes?: readonly string[] | undefined;
  /** Gives who this client is at an authorization server, so far as that is known. Registers nothing and asks nobody. */
  findClient(lookup: ClientLookup): Promise<ClientIdentity | undefined>;
  /** Gets tokens anew. Rejects with `login_failed`, `login_denied`, `login_required`, or with the reason of the signal. */
  login(context: LoginContext): Promise<LoginOutcome>;
}

/** At which authorization server a client is looked for. */
export interface ClientLookup {
  readonly metadata: ServerMetadata;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}

/** Everything that is known when a login begins. */
export interface LoginContext extends ClientLookup {
  /** The configured address of the MCP endpoint. */
  readonly server: URL;
  /** The authorization server as the protected server names it. */
  readonly issuer: string;
  readonly resource: ProtectedResource;
  /** The `resource` of requests; `undefined` for issuers that do not take it. */
  readonly resourceName: string | undefined;
  /** The scopes to ask for; `undefined` to leave that to the server. */
  readonly scope: string | undefined;
  /** The key that the tokens are to be bound to. */
  readonly dpop: Dpop | undefined;
  /** When nobody waits for the answer any more, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Makes the way to the token endpoint, as one client. */
  createEndpoint(client: ClientIdentity): TokenEndpoint;
}

/** What a login gave. */
export interface LoginOutcome {
  readonly client: ClientIdentity;
  readonly tokens: TokenSet;
}
