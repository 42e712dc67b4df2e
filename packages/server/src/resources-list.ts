import { parseListInput } from "./list-pages.js";
import { defineMethod, type Method } from "./method.js";

/** Lists the resources, page by page. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources */
export const resourcesList: Method = defineMethod({
  name: "resources/list",
  feature: "resources",
  cache: "resources",
  hint: (call, usual) => call.server.pages.resources.hint(usual),
  parse: parseListInput,
  run: (call, { cursor }) => call.server.pages.resources.page(call, cursor),
});
