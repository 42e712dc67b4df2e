import { generateRandomState } from "oauth4webapi";
import { abandonable } from "./abandonable.js";
import { isLoopback } from "./address-rules.js";
import { readBearerChallenge } from "./challenge.js";
import type { CredentialStore } from "./credential-store.js";
import type { Dpop, DpopOptions } from "./dpop.js";
import type { SendGuarded } from "./guarded-request.js";
import { findIssuerOptions } from "./issuer-options.js";
import { loginFailure } from "./login-failure.js";
import type { LoginMethod, LoginOutcome } from "./login-method.js";
import type { LoginOptions } from "./login-options.js";
import { keyOf, type LoginRecord, toKeptClient, writeRecord } from "./login-record.js";
import { findTarget, type IssuerChoice, type LoginTarget } from "./login-target.js";
import { discoverResource } from "./protected-resource.js";
import { selectScope } from "./scopes.js";
import type { ProtectedResource, ServerMetadata } from "./server-metadata.js";
import { createTokenEndpoint, type TokenEndpoint } from "./token-endpoint.js";
import type { ClientIdentity } from "./token-set.js";

/** What logins for one server are made with. */
export interface LoginHost {
  readonly server: URL;
  readonly store: CredentialStore;
  readonly method: LoginMethod;
  readonly send: SendGuarded;
  /** Scopes that the program wants besides those that the server needs. */
  readonly wanted: string | undefined;
  readonly choice: IssuerChoice;
  /** Whether tokens are bound to a key: where both ends offer it, where the server demands it, or never. */
  readonly dpop: "offered" | "demanded" | "never";
  readonly dpopKeyPair: CryptoKeyPair | undefined;
  /** What is different with an issuer. */
  readonly issuers: LoginOptions["issuers"];
}

/** What a login starts from. */
export interface LoginPlan {
  readonly previous: LoginRecord | undefined;
  /** Everything that was asked for so far. */
  readonly requested: string | undefined;
  /** What the challenge names. */
  readonly challenged: string | undefined;
  /** Where the server said that its metadata is. */
  readonly metadataUrl: string | undefined;
  /** Whether the server takes bound tokens alone. */
  readonly demandsDpop: boolean;
  /** Whether the server has refused a request, and said then what it had to say. */
  readonly wasAsked: boolean;
  /** What the server publishes, when that was read just now. */
  readonly resource?: ProtectedResource | undefined;
  readonly endsAt: number;
}

/** What talks to authorization servers, for one protected server. Loaded when there is something to say. */
export interface LoginWork {
  readonly host: LoginHost;
  /** Logs in anew, and keeps what came of it. Rejects with what the method and the searches before it reject with. */
  logIn(plan: LoginPlan, signal: AbortSignal): Promise<LoginRecord>;
  /** Reads anew what the server publishes. */
  discover(metadataUrl: string | undefined, signal: AbortSignal): Promise<ProtectedResource>;
}

/** Who asks for tokens, for what, and with which key. */
export interface EndpointParts {
  readonly metadata: ServerMetadata;
  readonly resource: ProtectedResource;
  readonly client: ClientIdentity;
  readonly dpop: Dpop | undefined;
  readonly demandsDpop: boolean;
}

/** Makes the part of an authorizer that talks to authorization servers. */
export function createLoginWork(host: LoginHost): LoginWork {
  const { server, send } = host;
  return {
    host,
    logIn: (plan, signal) => logIn(host, plan, signal),
    discover: (metadataUrl, signal) => discoverResource({ server, metadataUrl, send, signal }),
  };
}

async function logIn(host: LoginHost, plan: LoginPlan, signal: AbortSignal): Promise<LoginRecord> {
  const { server, method, send, wanted, choice } = host;
  const { previous, requested, challenged, endsAt } = plan;
  // Tokens for a server are sent to it: nobody on the way is to read them.
  if (server.protocol !== "https:" && !isLoopback(server.hostname))
    throw await loginFailure("plainServer", server.origin);
  const resource = await readResource(host, plan, signal);
  const search = { server, resource, previous: previous?.issuer, send, signal };
  const target = await abandonable(findTarget(search, choice), signal);
  const { issuer, metadata } = target;
  const scope = selectScope({
    challenged,
    supported: resource.scopesSupported,
    requested,
    wanted,
    offered: metadata.scopesSupported,
    refreshes: method.interactive,
  });
  const demandsDpop = plan.demandsDpop || resource.dpopRequired;
  const dpop = (await wantsDpop(host, metadata, demandsDpop))
    ? await openDpop({ keyPair: host.dpopKeyPair, algorithms: metadata.dpopAlgorithmsSupported })
    : undefined;
  const outcome = await method.login({
    server,
    issuer,
    resource,
    resourceName: nameResource(host, metadata, resource),
    metadata,
    scope,
    dpop,
    endsAt,
    send,
    signal,
    createEndpoint: (client) => createEndpoint(host, { metadata, resource, client, dpop, demandsDpop }),
  });
  return await keepLogin(host, target, { ...outcome, scope, dpop, previous });
}

/** What the server publishes. One that was not asked for anything yet may have more to say when it is. */
async function readResource(
  { server, send }: LoginHost,
  { resource, metadataUrl, wasAsked }: LoginPlan,
  signal: AbortSignal,
): Promise<ProtectedResource> {
  const found = resource ?? (await discoverResource({ server, metadataUrl, send, signal }));
  if (wasAsked || found.source !== "none") return found;
  const { askChallenge } = await import("./ask-challenge.js");
  const challenge = readBearerChallenge(await askChallenge(server, send, signal));
  if (challenge?.resourceMetadata === undefined) return found;
  return await discoverResource({ server, metadataUrl: challenge.resourceMetadata, send, signal });
}

/** What is kept of a login besides the server it was for. */
export interface LoginGain extends LoginOutcome {
  readonly scope: string | undefined;
  readonly dpop: Dpop | undefined;
  readonly previous: LoginRecord | undefined;
}

/** Makes the record of a login, and puts it into the store. */
export async function keepLogin(
  { server, store, method }: LoginHost,
  { issuer, resource }: Pick<LoginTarget, "issuer" | "resource">,
  { client, tokens, scope, dpop, previous }: LoginGain,
): Promise<LoginRecord> {
  const isSame = !method.interactive && previous?.issuer === issuer && previous.clientId === client.clientId;
  const record: LoginRecord = {
    login: isSame ? previous.login : generateRandomState(),
    issuer,
    clientId: client.clientId,
    client: toKeptClient(client),
    resource,
    requested: scope,
    tokens,
    obtainedAt: Date.now(),
    dpopKey: tokens.tokenType === "DPoP" ? dpop?.stored : undefined,
  };
  await store.lock(keyOf(server), () => writeRecord(store, server, record));
  return record;
}

/** Makes the way to a token endpoint. */
export function createEndpoint(
  host: LoginHost,
  { metadata, resource, client, dpop, demandsDpop }: EndpointParts,
): TokenEndpoint {
  return createTokenEndpoint({
    metadata,
    client,
    send: host.send,
    resource: nameResource(host, metadata, resource),
    dpop,
    dpopRequired: demandsDpop && dpop !== undefined,
  });
}

function nameResource(
  host: LoginHost,
  { issuer }: ServerMetadata,
  { resource }: ProtectedResource,
): string | undefined {
  return findIssuerOptions(host.issuers, issuer)?.omitResource === true ? undefined : resource;
}

/** What deals with keys is loaded with the first. */
export async function openDpop(options: DpopOptions): Promise<Dpop> {
  const { createDpop } = await import("./dpop.js");
  return createDpop(options);
}

async function wantsDpop({ dpop }: LoginHost, metadata: ServerMetadata, isDemanded: boolean): Promise<boolean> {
  if (dpop === "never" && isDemanded) throw await loginFailure("forbiddenDpop");
  return isDemanded || (dpop === "offered" && metadata.dpopAlgorithmsSupported !== undefined);
}
