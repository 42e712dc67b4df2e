import { parseListInput } from "./list-pages.js";
import { defineMethod, type Method } from "./method.js";

/** Lists the prompts, page by page. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#listing-prompts */
export const promptsList: Method = defineMethod({
  name: "prompts/list",
  feature: "prompts",
  cache: "prompts",
  hint: (call, usual) => call.server.pages.prompts.hint(usual),
  parse: parseListInput,
  run: (call, { cursor }) => call.server.pages.prompts.page(call, cursor),
});
