// A web page that calls a server which wants a login, and the page that logins come back to: what they load is checked by
// `pnpm size`.
import { MCPClient } from "@mortise/client";
import { answerPopup, browserStore, oauth, popupRedirect } from "@mortise/client/oauth";

export const openPage = () => {
  const auth = oauth({ redirect: popupRedirect({ uri: "https://app.example/callback" }), store: browserStore() });
  return (url) => new MCPClient({ url, auth }).callTool("greet");
};

export const comeBack = (page) => answerPopup(page);
