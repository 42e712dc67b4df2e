import type { Options } from "tsup";

/**
 * What every build shares: one bundled ESM file per public entry, with shared chunks and declarations.
 * With `MORTISE_BUILD=js` in the environment declarations are left as they are, which is what running needs.
 */
export function createBuild(entry: Record<string, string>, platform: "neutral" | "node" = "neutral"): Options {
  const withTypes = process.env.MORTISE_BUILD !== "js";
  return {
    entry,
    format: ["esm"],
    platform,
    target: "es2022",
    splitting: true,
    metafile: true,
    clean: withTypes ? true : ["*.js"],
    sourcemap: false,
    dts: withTypes ? { compilerOptions: { ignoreDeprecations: "6.0" } } : false,
  };
}
