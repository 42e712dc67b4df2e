import { type AuthenticatingServer, authenticate } from "./client-authentication.js";
import type { Dpop } from "./dpop.js";
import type { GuardedAnswer, SendGuarded } from "./guarded-request.js";
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

/** What was answered, and what nobody should read in a message about it. */
export interface Heard {
  readonly answer: GuardedAnswer;
  /** What was sent in confidence. */
  readonly secrets: readonly string[];
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
  return { answer, secrets: listSecrets(client, { headers, body }) };
}

function listSecrets(
  { authentication }: ClientIdentity,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: URLSearchParams },
): string[] {
  const sent = SECRETS.map((name) => body.get(name));
  const header = headers.authorization?.replace(/^\S+ /, "");
  const own = "secret" in authentication ? authentication.secret : undefined;
  return [...sent, header, own].filter((secret) => typeof secret === "string");
}
