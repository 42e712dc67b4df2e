import { type JsonObject, MortiseError } from "@mortise/core";
import { isLoopback } from "./address-rules.js";
import { readStrings } from "./find-document.js";
import type { ClientSearch } from "./registration.js";
import { type Members, readServerAnswer } from "./server-answer.js";
import type { ClientAuthentication, ClientIdentity } from "./token-set.js";

const CODE_FLOW: readonly string[] = ["authorization_code", "refresh_token"];
/** In the order they are asked for: what runs on users' machines can keep no secret. */
const METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;

/**
 * Registers a client with an authorization server. Rejects with `login_failed` quoting the server's refusal, and with the reason of
 * the signal.
 * See https://www.rfc-editor.org/rfc/rfc7591.html
 */
export async function registerClient(search: ClientSearch, redirectUris: readonly string[]): Promise<ClientIdentity> {
  const { metadata, send, signal } = search;
  const asked = describeClient(search, redirectUris);
  const answer = await send({
    url: metadata.registrationEndpoint ?? "",
    named: '"registration_endpoint" of the authorization server\'s metadata',
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify(asked),
    signal,
  });
  const members = await readServerAnswer(answer, { what: "a registration" });
  return toIdentity(members, asked, redirectUris, metadata.tokenAuthMethodsSupported);
}

/** What is asked for. The caller's own members win, except over the addresses that answers come back to. */
function describeClient(
  { metadata, options, redirect, grantTypes }: ClientSearch,
  redirectUris: readonly string[],
): JsonObject {
  const { tokenAuthMethodsSupported: methods, grantTypesSupported: grants } = metadata;
  const wanted = grantTypes ?? CODE_FLOW;
  // Said also where nothing comes back: what is left out stands for a web application that codes come back to.
  const login =
    redirect === undefined
      ? { application_type: "native", response_types: [], redirect_uris: [] }
      : { application_type: redirect.applicationType, response_types: ["code"] };
  return {
    client_name: "MCP client",
    ...login,
    // A server that lists its grants refuses others. Refresh tokens can be done without.
    grant_types: wanted.filter((grant) => grant !== "refresh_token" || grants?.includes(grant) !== false),
    token_endpoint_auth_method: METHODS.find((method) => methods?.includes(method) !== false) ?? "none",
    ...options.clientMetadata,
    ...(redirectUris.length > 0 && { redirect_uris: redirectUris }),
  };
}

async function toIdentity(
  answer: Members,
  asked: JsonObject,
  redirectUris: readonly string[],
  listed: readonly string[] | undefined,
): Promise<ClientIdentity> {
  const { client_id: clientId, client_secret_expires_at: end } = answer;
  if (!isText(clientId)) throw unfit("without an id");
  const told = readStrings(answer.redirect_uris) ?? [];
  if (told.length > 0 && !(await coversAny(told, redirectUris))) throw unfit("for other addresses than it was sent");
  const authentication = await toAuthentication(answer, asked, listed);
  // Without a secret nothing ends, whatever is said of its end.
  const seconds = authentication.method === "none" ? 0 : Number(end);
  return {
    clientId,
    authentication,
    redirectUris: told.length > 0 ? told : redirectUris,
    secretExpiresAt: seconds > 0 ? seconds * 1000 : undefined,
    source: "registered",
  };
}

/** Whether a client can come back to one of the addresses that the server registered: mostly to those that it was sent. */
async function coversAny(told: readonly string[], redirectUris: readonly string[]): Promise<boolean> {
  if (told.some((uri) => redirectUris.includes(uri))) return true;
  const { coversRedirect } = await import("./kept-client.js");
  return coversRedirect(told, redirectUris, isLoopback);
}

/** How the server wants the client to prove who it is. Without a secret there is nothing to prove. */
async function toAuthentication(
  answer: Members,
  { token_endpoint_auth_method: asked }: JsonObject,
  listed: readonly string[] | undefined,
): Promise<ClientAuthentication> {
  const { client_secret: secret, token_endpoint_auth_method: told } = answer;
  if (told === "none" || (!isText(told) && !isText(secret))) return { method: "none" };
  const { readSecret } = await import("./registered-secret.js");
  const read = readSecret({ answer, asked, listed });
  if (typeof read === "string") throw unfit(read);
  return read;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function unfit(how: string): MortiseError {
  return new MortiseError("login_failed", `The authorization server registered a client ${how}`);
}
