import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

export default defineConfig({
  ...createBuild({ server: "src/server.ts", client: "src/client.ts" }, "node"),
  dts: false,
});
