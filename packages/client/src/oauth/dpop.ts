import { type JsonObject, MortiseError } from "@mortise/core";
import { base64url, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { readSigningKey } from "./signing-key.js";

/** A key that tokens are bound to, and what servers want in its proofs (RFC 9449). */
export interface Dpop {
  /** The key pair as a private JWK, to be kept with the tokens that are bound to it; `undefined` when it cannot leave the runtime. */
  readonly stored: JsonObject | undefined;
  /** The thumbprint of the key: the `dpop_jkt` of authorization requests. */
  thumbprint(): Promise<string>;
  /** Makes the proof for one request. Every attempt needs its own. */
  createProof(request: DpopRequest): Promise<string>;
  /** Makes the headers of one request to a protected server: `Authorization` and `DPoP`. Every attempt needs its own. */
  createHeaders(request: Required<DpopRequest>): Promise<Readonly<Record<string, string>>>;
  /** Learns the nonce that an answer brought, for the next request to that origin. */
  learn(url: URL, header: (name: string) => string | undefined): void;
}

/** A request that is to prove possession of the key. */
export interface DpopRequest {
  readonly url: URL;
  readonly method: string;
  /** The token that goes with it, to a protected server. */
  readonly accessToken?: string;
}

/** Where a key comes from. With neither `stored` nor `keyPair`, one is made. */
export interface DpopOptions {
  /** What `stored` of an earlier one was: tokens are bound to it, so it comes first. */
  readonly stored?: JsonObject | undefined;
  /** A key of the runtime. Its public half must be extractable. */
  readonly keyPair?: CryptoKeyPair | undefined;
  /** What the server lists. @default any */
  readonly algorithms?: readonly string[] | undefined;
}

/** Keys are made for the first of these that the server lists. */
const PREFERRED = ["ES256", "EdDSA", "Ed25519", "ES384", "PS256", "RS256"] as const;
const MOST_NONCES = 32;
const MOST_NONCE_CHARS = 4096;

interface KeptKey {
  readonly algorithm: string;
  readonly pair: CryptoKeyPair;
  readonly stored: JsonObject | undefined;
}

/** Makes or reads a key, and keeps the nonces of each origin. Rejects with `invalid_options` for a stored key that cannot be read. */
export async function createDpop(options: DpopOptions = {}): Promise<Dpop> {
  const { algorithm, pair, stored } = await openKey(options);
  const jwk = await exportJWK(pair.publicKey);
  const nonces = new Map<string, string>();
  const createProof: Dpop["createProof"] = async ({ url, method, accessToken }) =>
    new SignJWT({
      htm: method.toUpperCase(),
      htu: url.origin + url.pathname,
      nonce: nonces.get(url.origin),
      ath: accessToken === undefined ? undefined : await hash(accessToken),
    })
      .setProtectedHeader({ alg: algorithm, typ: "dpop+jwt", jwk })
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .sign(pair.privateKey);
  const learn: Dpop["learn"] = (url, header) => {
    const nonce = header("dpop-nonce");
    if (nonce === undefined || nonce === "" || nonce.length > MOST_NONCE_CHARS) return;
    nonces.delete(url.origin);
    nonces.set(url.origin, nonce);
    const [oldest] = nonces.keys();
    if (nonces.size > MOST_NONCES && oldest !== undefined) nonces.delete(oldest);
  };
  return {
    stored,
    thumbprint: () => calculateJwkThumbprint(jwk),
    createProof,
    createHeaders: async (request) => ({
      Authorization: `DPoP ${request.accessToken}`,
      DPoP: await createProof(request),
    }),
    learn,
  };
}

async function hash(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

async function openKey({ stored, keyPair, algorithms }: DpopOptions): Promise<KeptKey> {
  if (stored !== undefined) return readKey(stored);
  if (keyPair !== undefined) {
    const { algorithm } = await readSigningKey({ key: keyPair.privateKey }, algorithms);
    return { algorithm, pair: keyPair, stored: undefined };
  }
  const algorithm = PREFERRED.find((name) => algorithms === undefined || algorithms.includes(name)) ?? "ES256";
  const made = await generateKeyPair(algorithm, { extractable: true });
  const jwk = await exportJWK(made.privateKey);
  return readKey({ ...(jwk as JsonObject), alg: algorithm }); // a JWK is plain JSON
}

/** What signs cannot be exported any more: only what is kept can. */
async function readKey(stored: JsonObject): Promise<KeptKey> {
  const { kty, crv, x, y, n, e, alg } = stored;
  const algorithm = typeof alg === "string" ? alg : "ES256";
  const open = Object.fromEntries(Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined));
  const [privateKey, publicKey] = await Promise.all([
    importJWK(stored, algorithm, { extractable: false }),
    importJWK(open, algorithm, { extractable: true }),
  ]).catch(() => []);
  if (!(privateKey instanceof CryptoKey && publicKey instanceof CryptoKey))
    throw new MortiseError("invalid_options", `Expected the stored DPoP key to be a private JWK for "${algorithm}"`);
  return { algorithm, pair: { privateKey, publicKey }, stored };
}
