export type { CredentialStore } from "./credential-store.js";
export type { OpenRedirect, Redirect } from "./redirect.js";
export type { ClientAuthentication, ClientIdentity, SigningKey } from "./token-set.js";
