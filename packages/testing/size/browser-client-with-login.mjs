// A web page that calls a server which wants a login: what it weighs in a bundle is checked by `pnpm size`.
import { MCPClient } from "@mortise/client";
import { browserStore, oauth, popupRedirect } from "@mortise/client/oauth";

const auth = oauth({ redirect: popupRedirect({ uri: "https://app.example/callback" }), store: browserStore() });
const client = new MCPClient({ url: "https://example.com/mcp", auth });

export const greet = () => client.callTool("greet", { name: "Ada" });
