import { MortiseError } from "@mortise/core";
import * as oauth from "oauth4webapi";
import type { Dpop } from "./dpop.js";
import type { GuardedAnswer, SendGuarded } from "./guarded-request.js";
import { type Members, readServerAnswer, type ServerAnswer } from "./server-answer.js";
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

/** The parameters that must not be found in messages, should a server repeat them. */
const SECRETS: readonly string[] = [
  "code",
  "code_verifier",
  "refresh_token",
  "client_secret",
  "client_assertion",
  "assertion",
  "subject_token",
  "device_code",
  "token",
];

const SENDABLE = /^[!-~]+$/;

/** Asks for a token, a second time if that was only to learn a nonce. Rejects as methods of `TokenEndpoint` do. */
export async function requestToken(request: TokenRequest): Promise<GrantedToken> {
  const asked = Date.now();
  let heard = await exchange(request);
  if (heard.answer.refusal?.error === "use_dpop_nonce" && heard.nonce) heard = await exchange(request);
  const { answer } = heard;
  if (answer.refusal !== undefined) throw createRefusalError("the token request", answer.refusal);
  return readGrant(request, answer.members, asked);
}

interface Heard {
  readonly answer: ServerAnswer;
  /** Whether the answer brought a nonce that proofs can have. */
  readonly nonce: boolean;
}

async function exchange(request: TokenRequest): Promise<Heard> {
  const { client, authentication, type, params, dpop } = request;
  let heard: Heard | undefined;
  await oauth.genericTokenEndpointRequest(
    toServer(request),
    { client_id: client.clientId },
    authentication,
    type,
    { ...params },
    {
      ...(dpop === undefined ? {} : { DPoP: dpop.handle }),
      [oauth.allowInsecureRequests]: true, // where requests may go is decided where they are sent
      [oauth.customFetch]: async (url, { headers, body }) => {
        const raw = await sendForm(request, url, { headers, body: body as URLSearchParams }); // what the library's own type says
        dpop?.learn(new URL(url), (name) => raw.header(name));
        heard = {
          answer: readServerAnswer(raw, listSecrets(client, body as URLSearchParams)),
          nonce: dpop !== undefined && Boolean(raw.header("dpop-nonce")),
        };
        return new Response();
      },
    },
  );
  if (heard === undefined) throw new MortiseError("login_failed", "The token request was not sent");
  return heard;
}

interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams;
}

function sendForm({ send, signal }: TokenRequest, url: string, form: Form): Promise<GuardedAnswer> {
  const { "user-agent": _library, ...headers } = form.headers;
  const named = 'the "token_endpoint" of the authorization server';
  return send({ url, named, method: "POST", headers, body: form.body.toString(), signal });
}

function listSecrets({ authentication }: ClientIdentity, body: URLSearchParams): string[] {
  const sent = SECRETS.map((name) => body.get(name)).filter((value) => value !== null);
  return "secret" in authentication ? [authentication.secret, ...sent] : sent;
}

function toServer({ metadata }: TokenRequest): oauth.AuthorizationServer {
  return { issuer: metadata.issuer, token_endpoint: metadata.tokenEndpoint };
}

/** The strict reader's turn. Its errors carry the answer along, and end here. */
async function readGrant(request: TokenRequest, members: Members, asked: number): Promise<GrantedToken> {
  const response = new Response(JSON.stringify(normalizeToken(members)), {
    headers: { "content-type": "application/json" },
  });
  const recognizedTokenTypes = Object.fromEntries((request.tokenTypes ?? []).map((type) => [type, () => undefined]));
  const read = await oauth
    .processGenericTokenEndpointResponse(toServer(request), { client_id: request.client.clientId }, response, {
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
