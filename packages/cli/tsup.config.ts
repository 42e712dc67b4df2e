import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

export default defineConfig(createBuild({ index: "src/index.ts", main: "src/main.ts" }, "node"));
