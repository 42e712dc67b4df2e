// Loaded with --import: says on stderr which modules are loaded from then on.
import { register } from "node:module";

const hooks = `
  import { writeSync } from "node:fs";
  export function load(url, context, next) {
    writeSync(2, "loads " + url + "\\n");
    return next(url, context);
  }
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
