export { type FileStoreOptions, fileStore } from "./file-store.js";
export { hostedFetch } from "./hosted-fetch.js";
export type { LoginOutcome } from "./login-page.js";
export { type LoopbackRedirectOptions, loopbackRedirect } from "./loopback-redirect.js";
export { openBrowser } from "./open-browser.js";
