import type { JsonObject } from "@mortise/core";

/** A key that tokens are bound to, and what servers want in its proofs (RFC 9449). */
export interface Dpop {
  /** The key pair as a private JWK, to be kept with the tokens that are bound to it; `undefined` when it cannot leave the runtime. */
  readonly stored: JsonObject | undefined;
  /** The thumbprint of the key: the `dpop_jkt` of authorization requests. */
  thumbprint(): Promise<string>;
  /** Makes the headers of one request to a protected server: `Authorization` and `DPoP`. Every attempt needs its own. */
  createHeaders(request: DpopRequest): Promise<Readonly<Record<string, string>>>;
  /** Learns the nonce that an answer brought, for the next request to that origin. */
  learn(url: URL, header: (name: string) => string | undefined): void;
  /** Learns from a 401, and tells whether it was only a demand for the nonce it brought. */
  isNonceDemand(url: URL, header: (name: string) => string | undefined): boolean;
}

/** A request that is to prove possession of the key. */
export interface DpopRequest {
  readonly url: URL;
  readonly method: string;
  readonly accessToken: string;
}

/** Where a key comes from. With neither, one is made. */
export interface DpopOptions {
  /** What `stored` of an earlier one was. */
  readonly stored?: JsonObject | undefined;
  /** A key of the runtime: ES256, ES384, Ed25519 or RSA. Its public half must be extractable. */
  readonly keyPair?: CryptoKeyPair | undefined;
}
