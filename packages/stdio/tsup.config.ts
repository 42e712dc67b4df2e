import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

// A start reads one file for each end. What both use, and each then has, is 4 kB and holds no state.
export default defineConfig({
  ...createBuild({ index: "src/index.ts", client: "src/client.ts" }, "node"),
  splitting: false,
});
