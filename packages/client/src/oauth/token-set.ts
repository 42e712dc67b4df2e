import type { JsonObject } from "@mortise/core";

/** The tokens that one grant gave, as they are kept. */
export interface TokenSet {
  readonly accessToken: string;
  /** `Bearer`, or `DPoP` for tokens bound to a key. Anything else is refused when it comes. */
  readonly tokenType: "Bearer" | "DPoP";
  /** When the access token ends, in milliseconds since 1970; `undefined` when the server did not say. */
  readonly expiresAt?: number | undefined;
  readonly refreshToken?: string | undefined;
  /** What was granted, when the server said so; else what was asked for. */
  readonly scope?: string | undefined;
  readonly idToken?: string | undefined;
}

/** The identity that this client has at one authorization server. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  /** The addresses that it is registered with, where a registration says so. */
  readonly redirectUris?: readonly string[] | undefined;
  /** When a registered secret ends, in milliseconds since 1970. */
  readonly secretExpiresAt?: number | undefined;
  /** How it came about. Only what was registered dynamically may be registered again. */
  readonly source: "configured" | "metadata-document" | "registered" | "asked";
}

/** How a client proves who it is at the token endpoint. */
export type ClientAuthentication =
  | { readonly method: "none" }
  | { readonly method: "client_secret_basic" | "client_secret_post"; readonly secret: string }
  | { readonly method: "private_key_jwt"; readonly key: SigningKey };

/** A private key that signs: PKCS#8 in PEM, a JWK, or a key of the runtime. */
export interface SigningKey {
  readonly key: string | JsonObject | CryptoKey;
  /** The JWS algorithm, such as "ES256". @default what the key itself tells, else "ES256" */
  readonly algorithm?: string | undefined;
  /** The `kid` that the server knows the key by. */
  readonly keyId?: string | undefined;
}
