import { MortiseError } from "@mortise/core";
import type { SigningKey } from "./token-set.js";

/** A key that is ready to sign, and what to write into the header of what it signs. */
export interface ReadyKey {
  readonly key: CryptoKey;
  readonly algorithm: string;
}

/** What a PEM file is tried for when nobody says what it holds. The order decides for RSA keys, which fit several. */
const COMMON = ["ES256", "RS256", "EdDSA", "ES384", "ES512"] as const;

const BY_CURVE: ReadonlyMap<unknown, string> = new Map([
  ["P-256", "ES256"],
  ["P-384", "ES384"],
  ["P-521", "ES512"],
  ["Ed25519", "EdDSA"],
]);

/**
 * Makes a private key ready to sign. `accepted` are the algorithms that the server lists, which decide where a key fits several. Throws
 * `invalid_options` for a key that cannot be read, without a word of the key.
 */
export async function readSigningKey(signing: SigningKey, accepted: readonly string[] = []): Promise<ReadyKey> {
  const { key, algorithm } = signing;
  if (typeof key === "string") return readPem(key, algorithm === undefined ? orderBy(accepted, COMMON) : [algorithm]);
  if (isCryptoKey(key)) return { key, algorithm: algorithm ?? nameAlgorithm(key, accepted) };
  const found = algorithm ?? (typeof key.alg === "string" ? key.alg : guessAlgorithm(key, accepted));
  const { importJWK } = await import("jose");
  const imported = await importJWK(key, found, { extractable: false }).catch(() => undefined);
  if (imported === undefined || imported instanceof Uint8Array || imported.type !== "private")
    throw unreadable(`a private JWK for "${found}"`);
  return { key: imported, algorithm: found };
}

async function readPem(text: string, candidates: readonly string[]): Promise<ReadyKey> {
  const { importPKCS8 } = await import("jose");
  const pem = text.replaceAll("\\n", "\n").trim(); // environment variables often have it on one line
  for (const algorithm of candidates) {
    // Only trying tells what a PEM file holds; why the wrong ones did not fit is of no interest.
    const key = await importPKCS8(pem, algorithm).catch(() => undefined);
    if (key !== undefined) return { key, algorithm };
  }
  const names = candidates.map((name) => `"${name}"`).join(" or ");
  throw unreadable(`PKCS#8 in PEM for ${names}, as "openssl pkcs8 -topk8 -nocrypt" writes it`);
}

/** The candidates that a server lists come first; where it lists none of them, the order stands. */
function orderBy(accepted: readonly string[], candidates: readonly string[]): readonly string[] {
  return [
    ...candidates.filter((name) => accepted.includes(name)),
    ...candidates.filter((name) => !accepted.includes(name)),
  ];
}

function isCryptoKey(key: Exclude<SigningKey["key"], string>): key is CryptoKey {
  return typeof CryptoKey === "function" && key instanceof CryptoKey;
}

function nameAlgorithm(key: CryptoKey, accepted: readonly string[]): string {
  const { name, namedCurve, hash } = key.algorithm as { name: string; namedCurve?: string; hash?: { name: string } }; // what Web Crypto puts there
  const bits = hash?.name.slice("SHA-".length) ?? "";
  if (name === "RSA-PSS") return `PS${bits}`;
  if (name === "RSASSA-PKCS1-v1_5") return `RS${bits}`;
  return nameCurve(namedCurve ?? name, accepted);
}

function guessAlgorithm(jwk: Readonly<Record<string, unknown>>, accepted: readonly string[]): string {
  if (jwk.kty === "RSA") return orderBy(accepted, ["RS256", "PS256", "RS384", "PS384", "RS512", "PS512"])[0] ?? "RS256";
  return nameCurve(jwk.crv, accepted);
}

/** Ed25519 has an old name, which more servers know, and a new one. */
function nameCurve(curve: unknown, accepted: readonly string[]): string {
  const found = BY_CURVE.get(curve) ?? "ES256";
  return found === "EdDSA" && accepted.includes("Ed25519") && !accepted.includes("EdDSA") ? "Ed25519" : found;
}

function unreadable(expected: string): MortiseError {
  return new MortiseError("invalid_options", `Expected the client's key to be ${expected}`);
}
