import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

export default defineConfig({ ...createBuild({ server: "src/server.ts" }, "node"), dts: false });
