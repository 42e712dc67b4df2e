import { defineConfig, type Options } from "tsup";
import { createBuild } from "../../tsup.config.base.js";

const build: Options = createBuild({
  index: "src/index.ts",
  schema: "src/schema/index.ts",
  "event-streams": "src/sse-read.ts",
  patterns: "src/patterns.ts",
});

/**
 * The other entries take what they need of the main one from it, by the package's own name, as every other package does. Were it
 * shared in chunks, each start would read those files, too.
 */
const mainEntry: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "main-entry",
  setup: ({ onResolve }) => onResolve({ filter: /^@mortise\/core$/ }, () => ({ path: "./index.js", external: true })),
};

export default defineConfig({ ...build, esbuildPlugins: [...(build.esbuildPlugins ?? []), mainEntry] });
