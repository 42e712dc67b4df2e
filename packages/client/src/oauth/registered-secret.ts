import type { Members } from "./server-answer.js";
import type { ClientAuthentication } from "./token-set.js";

/** What a registration with a secret is read with. */
export interface SecretRegistration {
  readonly answer: Members;
  /** The way to authenticate that was asked for. */
  readonly asked: unknown;
  /** The ways that the server lists. */
  readonly listed: readonly string[] | undefined;
}

/** Reads how a client with a secret proves who it is: as the server says, else as it was asked, else as its metadata lists; or why not. */
export function readSecret({ answer, asked, listed }: SecretRegistration): ClientAuthentication | string {
  const { client_secret: secret, token_endpoint_auth_method: told } = answer;
  if (typeof secret !== "string" || secret === "") return "without the secret that its way to authenticate needs";
  const method = typeof told === "string" && told !== "" ? told : chooseMethod(asked, listed);
  if (method === "client_secret_basic" || method === "client_secret_post") return { method, secret };
  return "for a way to authenticate that was not asked for";
}

/** What a server leaves out of its metadata is `client_secret_basic`. */
function chooseMethod(asked: unknown, listed: readonly string[] = ["client_secret_basic"]): unknown {
  if (typeof asked === "string" && asked !== "none") return asked;
  return listed.includes("client_secret_post") && !listed.includes("client_secret_basic")
    ? "client_secret_post"
    : "client_secret_basic";
}
