import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

export default defineConfig({
  ...createBuild({ demo: "src/demo.ts", server: "src/server.ts" }, "node"),
  dts: false,
});
