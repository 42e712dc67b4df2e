// npm start: sets up what the demonstration needs, then runs it in this process, so that signals and arguments
// (`-- --once`) reach it directly.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setup } from "./setup.mjs";
import { ROOT } from "./workspace.mjs";

await setup({ folders: ["apps/http-example", "apps/stdio-example"] });
await import(pathToFileURL(join(ROOT, "apps", "http-example", "dist", "demo.js")).href);
