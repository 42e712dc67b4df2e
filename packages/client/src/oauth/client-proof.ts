import type { AuthenticatingServer, ClientForm } from "./client-authentication.js";
import type { ClientAuthentication, SigningKey } from "./token-set.js";

/** How long an assertion is good for. */
const ASSERTION_LIFE = "60s";

/** What proves who a client is. */
export type ClientProof = Exclude<ClientAuthentication, { readonly method: "none" }>;

/** Adds the proof of a client with a secret or a key to a form. Rejects with `invalid_options` for a key that cannot be read. */
export async function proveClient(
  clientId: string,
  proof: ClientProof,
  server: AuthenticatingServer,
  { headers, body }: ClientForm,
): Promise<void> {
  // Servers that go by an assertion alone ask for no id: the client is nobody in particular.
  const id = clientId === "" ? "nobody" : clientId;
  if (proof.method === "client_secret_basic") {
    headers.authorization = `Basic ${btoa(`${encodePart(id)}:${encodePart(proof.secret)}`)}`;
    return;
  }
  body.set("client_id", id);
  if (proof.method === "private_key_jwt") {
    body.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    body.set("client_assertion", await signAssertion(id, proof.key, server));
  } else body.set("client_secret", proof.secret);
}

/**
 * RFC 6749 section 2.3.1 has both parts encoded as a form would. Encoding no more than a form does matters: many servers never decode,
 * and then a plain "-" of an id must be one.
 */
function encodePart(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** Makes an assertion for the issuer. See https://www.rfc-editor.org/rfc/rfc7523.html#section-3 */
async function signAssertion(
  clientId: string,
  signing: SigningKey,
  { issuer, tokenAuthAlgorithmsSupported }: AuthenticatingServer,
): Promise<string> {
  const [{ SignJWT }, { readSigningKey }] = await Promise.all([import("jose"), import("./signing-key.js")]);
  const { key, algorithm } = await readSigningKey(signing, tokenAuthAlgorithmsSupported);
  const { keyId } = signing;
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setNotBefore("0s")
    .setExpirationTime(ASSERTION_LIFE)
    .sign(key);
}
