import type { Options } from "tsup";

/** What every package's build shares: one bundled ESM file per public entry, with shared chunks and declarations. */
export function createBuild(entry: Record<string, string>, platform: "neutral" | "node" = "neutral"): Options {
  return {
    entry,
    format: ["esm"],
    platform,
    target: "es2022",
    splitting: true,
    metafile: true,
    clean: true,
    sourcemap: false,
    dts: { compilerOptions: { ignoreDeprecations: "6.0" } },
  };
}
