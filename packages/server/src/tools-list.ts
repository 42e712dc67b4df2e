import { parseListInput } from "./list-pages.js";
import { defineMethod, type Method } from "./method.js";

/** Lists the tools, page by page. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools */
export const toolsList: Method = defineMethod({
  name: "tools/list",
  feature: "tools",
  cache: "tools",
  hint: (call, usual) => call.server.pages.tools.hint(usual),
  parse: parseListInput,
  run: (call, { cursor }) => call.server.pages.tools.page(call, cursor),
});
