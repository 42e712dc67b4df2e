import { type AuthenticatingServer, authenticate } from "./client-authentication.js";
import type { Dpop } from "./dpop.js";
import type { GuardedAnswer, SendGuarded } from "./guarded-request.js";
import type { SentForm } from "./server-answer.js";
import type { ClientIdentity } from "./token-set.js";

/** A form for an authorization server. */
export interface FormRequest {
  readonly url: string;
  /** Which member of which document named the address, for messages. */
  readonly named: string;
  readonly metadata: AuthenticatingServer;
  readonly client: ClientIdentity;
  readonly params: Readonly<Record<string, string>>;
  /** Proves possession of a key with the request. */
  readonly dpop?: Dpop | undefined;
  readonly send: SendGuarded;
  readonly signal: AbortSignal;
}

/** What was sent, and what was answered. */
export interface Heard {
  readonly form: SentForm;
  readonly answer: GuardedAnswer;
}

/** Sends a form as a client, once. Rejects as `send` does, and with `invalid_options` for a client's key that cannot be read. */
export async function sendForm(request: FormRequest): Promise<Heard> {
  const { url, named, metadata, client, params, dpop, send, signal } = request;
  const body = new URLSearchParams(params);
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
  };
  await authenticate(client, metadata, { headers, body });
  if (dpop !== undefined) headers.dpop = await dpop.createProof({ url: new URL(url), method: "POST" });
  const answer = await send({ url, named, method: "POST", headers, body: body.toString(), signal });
  dpop?.learn(new URL(url), (name) => answer.header(name));
  return { form: { client, headers, body }, answer };
}
