import type { SendGuarded } from "./guarded-request.js";
import type { ServerMetadata } from "./server-metadata.js";
import type { ClientIdentity, TokenSet } from "./token-set.js";

/** Which tokens are to end. */
export interface Revocation {
  readonly metadata: ServerMetadata;
  readonly client: ClientIdentity;
  readonly tokens: TokenSet;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}

/**
 * Tells the authorization server that tokens are not needed any more (RFC 7009): the refresh token first, with which most servers end the
 * rest. Gives whether the server was told; one that takes no such word is not. Rejects like requests for tokens do, once both were tried.
 */
export async function revokeTokens(revocation: Revocation): Promise<boolean> {
  const { metadata, tokens } = revocation;
  if (metadata.revocationEndpoint === undefined) return false;
  const failures: unknown[] = [];
  const fail = (error: unknown): void => {
    failures.push(error);
  };
  if (tokens.refreshToken !== undefined) await revoke(revocation, tokens.refreshToken, "refresh_token").catch(fail);
  await revoke(revocation, tokens.accessToken, "access_token").catch(fail);
  if (failures.length > 0) throw failures[0];
  return true;
}

async function revoke(revocation: Revocation, token: string, hint: string): Promise<void> {
  const { readServerAnswer, sendForm } = await import("./logins.js");
  const { metadata, client, send, signal } = revocation;
  const { answer, form } = await sendForm({
    url: metadata.revocationEndpoint ?? "",
    named: 'the "revocation_endpoint" of the authorization server',
    metadata,
    client,
    params: { token, token_type_hint: hint },
    send,
    signal,
  });
  // What a server says besides its status is of no interest, if it did as it was told.
  const isDone = answer.status >= 200 && answer.status < 300;
  if (!isDone) await readServerAnswer(answer, { what: "the revocation of a token", form });
}
