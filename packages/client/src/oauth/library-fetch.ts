import { MortiseError } from "@mortise/core";
import type { GuardedAnswer, SendGuarded } from "./guarded-request.js";
import type { ClientIdentity } from "./token-set.js";

/** How what the library asks is sent. */
export interface LibrarySending {
  readonly send: SendGuarded;
  readonly client: ClientIdentity;
  /** Which member of which document named the address, for messages. */
  readonly named: string;
  readonly signal: AbortSignal;
}

/** What was answered, and what nobody should read in a message about it. */
export interface Heard {
  readonly answer: GuardedAnswer;
  /** What was sent in confidence. */
  readonly secrets: readonly string[];
  readonly url: URL;
}

/** What the library sends a form with. */
export type LibraryFetch = (url: string, request: LibraryRequest) => Promise<Response>;

/** The part of the library's own type that matters here. */
export interface LibraryRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams;
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

/**
 * Has the library ask, and takes the answer in its place: the library is shown an empty one. Where requests may go is decided where
 * they are sent, so it is to be told to allow everything.
 */
export async function askThrough(
  { send, client, named, signal }: LibrarySending,
  ask: (fetch: LibraryFetch) => Promise<unknown>,
): Promise<Heard> {
  let heard: Heard | undefined;
  await ask(async (url, { headers: all, body }) => {
    const { "user-agent": _library, ...headers } = all;
    const answer = await send({ url, named, method: "POST", headers, body: body.toString(), signal });
    heard = { answer, secrets: listSecrets(client, { headers, body }), url: new URL(url) };
    return new Response();
  });
  if (heard === undefined) throw new MortiseError("login_failed", `Nothing was sent to ${named}`);
  return heard;
}

function listSecrets({ authentication }: ClientIdentity, { headers, body }: LibraryRequest): string[] {
  const sent = SECRETS.map((name) => body.get(name));
  const header = headers.authorization?.replace(/^\S+ /, "");
  const own = "secret" in authentication ? authentication.secret : undefined;
  return [...sent, header, own].filter((secret) => typeof secret === "string");
}
