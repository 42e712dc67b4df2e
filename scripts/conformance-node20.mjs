// Lets the referee start on Node 20: it imports `globSync` from "fs", which Node has since version 22. Only a sub-command
// that is not used here calls it. Loaded with `node --import`; registers itself as the module hook that answers that one
// import with Node's own module plus the missing name.
import fs from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const STAND_IN = "mortise:fs";
const SOURCE = `
export * from "node:fs";
export { default } from "node:fs";
export function globSync() {
  throw new Error("fs.globSync needs Node 22");
}
`;

if (isMainThread && fs.globSync === undefined) register(import.meta.url);

/** @type {import("node:module").ResolveHook} */
export function resolve(specifier, context, next) {
  const wanted = specifier === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/");
  return wanted ? { url: STAND_IN, shortCircuit: true } : next(specifier, context);
}

/** @type {import("node:module").LoadHook} */
export function load(url, context, next) {
  return url === STAND_IN ? { format: "module", source: SOURCE, shortCircuit: true } : next(url, context);
}
