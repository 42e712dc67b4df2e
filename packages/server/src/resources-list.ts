import { parseListInput } from "./list-pages.js";
import { findListers, hintListed, listWithTemplates } from "./listed-resources.js";
import { defineMethod, type Method } from "./method.js";

/** Lists the resources, page by page. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources */
export const resourcesList: Method = defineMethod({
  name: "resources/list",
  feature: "resources",
  cache: "resources",
  hint: hintListed,
  parse: parseListInput,
  run(call, { cursor }) {
    const templates = findListers(call);
    return templates.length === 0
      ? call.server.pages.resources.page(call, cursor)
      : listWithTemplates(call, templates, cursor);
  },
});
