import { parseListInput } from "./list-pages.js";
import { defineMethod, type Method } from "./method.js";

/** Lists the templates of resources, page by page. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates */
export const resourceTemplatesList: Method = defineMethod({
  name: "resources/templates/list",
  feature: "resources",
  cache: "templates",
  hint: (call, usual) => call.server.pages.templates.hint(usual),
  parse: parseListInput,
  run: (call, { cursor }) => call.server.pages.templates.page(call, cursor),
});
