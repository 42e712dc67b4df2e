export { type BrowserStoreOptions, browserStore, type WebStorage } from "./browser-store.js";
export type { ClientMetadata, ClientOptions, ClientQuestion, RegisteredClient } from "./client-options.js";
export type { CredentialStore } from "./credential-store.js";
export type { Assertion, AssertionRequest } from "./grants/assertion.js";
export type { DeviceCode } from "./grants/device-code.js";
export type { SubjectTokenType } from "./grants/enterprise-managed.js";
export {
  type ClientCredentialsOptions,
  clientCredentials,
  type EnterpriseManagedOptions,
  enterpriseManaged,
  type WorkloadIdentityOptions,
  workloadIdentity,
} from "./grants.js";
export type { IssuerOptions, LoginOptions } from "./login-options.js";
export { memoryStore } from "./memory-store.js";
export { type LoginRequest, type OAuth, type OAuthOptions, oauth } from "./oauth.js";
export { type PageRedirectOptions, pageRedirect } from "./page-redirect.js";
export { answerPopup, type PopupPage } from "./popup-channel.js";
export { type PopupRedirectOptions, type PopupWindow, popupRedirect } from "./popup-redirect.js";
export type { OpenRedirect, Redirect } from "./redirect.js";
export type { ClientAuthentication, ClientIdentity, SigningKey } from "./token-set.js";
