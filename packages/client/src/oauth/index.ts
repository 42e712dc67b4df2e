export { type BrowserStoreOptions, browserStore, type WebStorage } from "./browser-store.js";
export type { CredentialStore } from "./credential-store.js";
export { memoryStore } from "./memory-store.js";
export { type PageRedirectOptions, pageRedirect } from "./page-redirect.js";
export { answerPopup, type PopupPage } from "./popup-channel.js";
export { type PopupRedirectOptions, type PopupWindow, popupRedirect } from "./popup-redirect.js";
export type { OpenRedirect, Redirect } from "./redirect.js";
export type { ClientAuthentication, ClientIdentity, SigningKey } from "./token-set.js";
