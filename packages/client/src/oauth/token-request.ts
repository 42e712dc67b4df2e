import { MortiseError } from "@mortise/core";
import * as oauth from "oauth4webapi";
import { toLibraryClient } from "./client-authentication.js";
import type { Dpop } from "./dpop.js";
import type { SendGuarded } from "./guarded-request.js";
import { askThrough, type Heard } from "./library-fetch.js";
import { type Members, readServerAnswer } from "./server-answer.js";
import type { ServerMetadata } from "./server-metadata.js";
import { normalizeToken } from "./token-answer.js";
import { createRefusalError } from "./token-refusal.js";
import type { ClientIdentity } from "./token-set.js";

/** One request for a token. */
export interface TokenRequest {
  readonly metadata: Pick<ServerMetadata, "issuer" | "tokenEndpoint">;
  readonly client: ClientIdentity;
  readonly authentication: oauth.ClientAuth;
  readonly send: SendGuarded;
  readonly dpop?: Dpop | undefined;
  /** The `grant_type`. */
  readonly type: string;
  readonly params: Readonly<Record<string, string>>;
  /** Which member of which document named the endpoint. @default the authorization server's metadata */
  readonly named?: string | undefined;
  /** Types of tokens besides `bearer` and `dpop` that are of use, in lower case. */
  readonly tokenTypes?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** What a token endpoint gave, checked. */
export interface GrantedToken {
  readonly token: string;
  /** In lower case. */
  readonly type: string;
  /** When the token ends, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  readonly scope?: string | undefined;
  /** Unchecked: it is only ever handed on to whoever checks it. */
  readonly idToken?: string | undefined;
  readonly issuedTokenType?: string | undefined;
}

const SENDABLE = /^[!-~]+$/;

/** Asks for a token, a second time if that was only to learn a nonce. Rejects as methods of `TokenEndpoint` do. */
export async function requestToken(request: TokenRequest): Promise<GrantedToken> {
  const asked = Date.now();
  let heard = await exchange(request);
  if (isNonceDemand(request, heard)) heard = await exchange(request);
  const { members, refusal } = readServerAnswer(heard.answer, heard.secrets);
  if (refusal !== undefined) throw createRefusalError("the token request", refusal);
  return readGrant(request, members, asked);
}

async function exchange(request: TokenRequest): Promise<Heard> {
  const { client, authentication, send, type, params, dpop, signal } = request;
  const { named = 'the "token_endpoint" of the authorization server' } = request;
  const heard = await askThrough({ send, client, named, signal }, (fetch) =>
    oauth.genericTokenEndpointRequest(
      toServer(request),
      toLibraryClient(client),
      authentication,
      type,
      { ...params },
      {
        ...(dpop !== undefined && { DPoP: dpop.handle }),
        [oauth.allowInsecureRequests]: true,
        [oauth.customFetch]: fetch,
      },
    ),
  );
  dpop?.learn(heard.url, (name) => heard.answer.header(name));
  return heard;
}

function isNonceDemand({ dpop }: TokenRequest, { answer }: Heard): boolean {
  if (dpop === undefined || !answer.header("dpop-nonce")) return false;
  return readServerAnswer(answer).refusal?.error === "use_dpop_nonce";
}

function toServer({ metadata }: TokenRequest): oauth.AuthorizationServer {
  return { issuer: metadata.issuer, token_endpoint: metadata.tokenEndpoint };
}

/** The strict reader's turn. Its errors carry the answer along, and end here. */
async function readGrant(request: TokenRequest, members: Members, asked: number): Promise<GrantedToken> {
  const response = new Response(JSON.stringify(normalizeToken(members)), {
    headers: { "content-type": "application/json" },
  });
  // Without a prototype: the server's word is looked up in it.
  const recognizedTokenTypes: Record<string, () => undefined> = Object.create(null);
  for (const type of request.tokenTypes ?? []) recognizedTokenTypes[type] = () => undefined;
  const read = await oauth
    .processGenericTokenEndpointResponse(toServer(request), toLibraryClient(request.client), response, {
      recognizedTokenTypes,
    })
    .catch((error: Error) => {
      throw new MortiseError("login_failed", `The authorization server's answer is no token: ${error.message}`);
    });
  if (!SENDABLE.test(read.access_token))
    throw new MortiseError("login_failed", 'Expected "access_token" to be a token that a header can carry');
  return {
    token: read.access_token,
    type: read.token_type,
    expiresAt: read.expires_in === undefined ? undefined : asked + read.expires_in * 1000,
    refreshToken: read.refresh_token,
    scope: read.scope,
    idToken: typeof members.id_token === "string" ? members.id_token : undefined,
    issuedTokenType: typeof read.issued_token_type === "string" ? read.issued_token_type : undefined,
  };
}
