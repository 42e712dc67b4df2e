import type { AuthenticatingServer } from "./client-authentication.js";
import { type FormRequest, type Heard, sendForm } from "./form-request.js";
import { type Members, readServerAnswer } from "./server-answer.js";
import type { ServerMetadata } from "./server-metadata.js";
import { type GrantedToken, readGrant } from "./token-answer.js";
import { readRefusal } from "./token-refusal.js";

/** One request for a token. */
export interface TokenRequest extends Pick<FormRequest, "client" | "params" | "dpop" | "send" | "signal"> {
  readonly metadata: AuthenticatingServer & Pick<ServerMetadata, "tokenEndpoint">;
  /** The `grant_type`. */
  readonly type: string;
  /** Which member of which document named the endpoint. @default the authorization server's metadata */
  readonly named?: string | undefined;
  /** The types of tokens that are of use, in lower case. @default bearer and dpop */
  readonly tokenTypes?: readonly string[] | undefined;
}

/** Asks for a token, a second time if that was only to learn a nonce. Rejects as methods of `TokenEndpoint` do. */
export async function requestToken(request: TokenRequest): Promise<GrantedToken> {
  const { metadata, type, params, tokenTypes = ["bearer", "dpop"] } = request;
  const { named = 'the "token_endpoint" of the authorization server' } = request;
  const form = { ...request, url: metadata.tokenEndpoint, named, params: { ...params, grant_type: type } };
  const askedAt = Date.now();
  let heard = await sendForm(form);
  if (await isNonceDemand(request, heard)) heard = await sendForm(form);
  return readGrant(await readAnswer(heard), tokenTypes, askedAt);
}

function readAnswer({ answer, form }: Heard): Promise<Members> {
  return readServerAnswer(answer, { what: "the token request", form });
}

async function isNonceDemand({ dpop }: TokenRequest, heard: Heard): Promise<boolean> {
  if (dpop === undefined || !heard.answer.header("dpop-nonce")) return false;
  return await readAnswer(heard).then(
    () => false,
    (error: unknown) => readRefusal(error)?.error === "use_dpop_nonce",
  );
}
