import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

export default defineConfig({
  ...createBuild({
    index: "src/index.ts",
    cache: "src/cache/index.ts",
    config: "src/config/index.ts",
    oauth: "src/oauth/index.ts",
    "oauth-node": "src/oauth/node/index.ts",
    form: "src/form/index.ts",
    "platform/node": "src/platform/node.ts",
    "platform/web": "src/platform/web.ts",
    "platform/web-with-processes": "src/platform/web-with-processes.ts",
  }),
  // Resolved where the package runs, through its "imports".
  external: ["#platform"],
});
