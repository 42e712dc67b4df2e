import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";

/** What a proof of possession has to show. */
export interface ExpectedProof {
  readonly proof: string;
  readonly method: string;
  readonly url: string;
  readonly accessToken: string;
  /** The thumbprint of the key that the token is bound to. */
  readonly thumbprint: string;
}

interface ProofHeader {
  readonly typ: string;
  readonly alg: string;
  readonly jwk: JsonWebKey;
}

/** The claims of a proof, checked as RFC 9449, section 4.3 demands; `undefined` when something is wrong with it. */
export function checkPossession(expected: ExpectedProof): { nonce?: string; jti: string } | undefined {
  const [head = "", body = "", signature = ""] = expected.proof.split(".");
  const { typ, alg, jwk } = decode(head) as ProofHeader; // what is not will fail below
  const claims = decode(body) as { htm: string; htu: string; ath: string; jti: string; iat: number; nonce?: string };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const signed = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    fromBase64(signature),
  );
  const thumbprint = hash(JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y }));
  const fits =
    typ === "dpop+jwt" &&
    alg === "ES256" &&
    jwk["d"] === undefined &&
    claims.htm === expected.method &&
    claims.htu === expected.url &&
    claims.ath === hash(expected.accessToken) &&
    Math.abs(claims.iat - Date.now() / 1_000) < 60;
  return signed && fits && thumbprint === expected.thumbprint ? claims : undefined;
}

function decode(part: string): unknown {
  return JSON.parse(fromBase64(part).toString("utf8"));
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
