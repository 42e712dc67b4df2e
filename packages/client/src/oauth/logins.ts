// Everything that a login takes, in one piece: loaded with the first request that needs more than the tokens that are there. What
// only some logins take is loaded apart, and gets what it needs of this by importing it as late.

export { abandonable } from "./abandonable.js";
export { checkLoginUrl } from "./address-rules.js";
export { discoverServer } from "./authorization-server.js";
export { createCodeFlow, redeemAnswer } from "./code-flow.js";
export { createLogins } from "./create-logins.js";
export { sendForm } from "./form-request.js";
export { createSendGuarded } from "./guarded-fetch.js";
export { isDue, isExpired, isSameToken, keyOf, readRecord, writeRecord } from "./login-record.js";
export { createEndpoint, keepLogin, openDpop } from "./login-work.js";
export { takePending } from "./pending-logins.js";
export { chooseClient, findClient } from "./registration.js";
export { MOST_LOGINS } from "./request-history.js";
export { coversScopes, uniteScopes } from "./scopes.js";
export { readServerAnswer } from "./server-answer.js";
export { note, planLogin } from "./server-logins.js";
export { SharedWork } from "./shared-work.js";
export { forgetUnknown } from "./stored-client.js";
export { readRefusal } from "./token-refusal.js";
export { requestToken } from "./token-request.js";
