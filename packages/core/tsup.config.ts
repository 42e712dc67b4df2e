import { defineConfig } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

export default defineConfig(
  createBuild({
    index: "src/index.ts",
    schema: "src/schema/index.ts",
    "event-streams": "src/sse-read.ts",
    patterns: "src/patterns.ts",
  }),
);
