import { defineMethod, type Method } from "./method.js";
import { MembersText } from "./outcome.js";

const EMPTY = new MembersText("");

/** Answers that the server is there. https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping */
export const ping: Method = defineMethod({
  name: "ping",
  parse: () => undefined,
  run: () => EMPTY,
});
