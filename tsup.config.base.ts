import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

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
    esbuildPlugins: [withoutBareImports],
  };
}

/**
 * Leaves out imports of chunks that nothing is taken from, which esbuild keeps for the order of side effects: modules of ours have
 * none, and every file costs at start.
 */
const withoutBareImports: Plugin = {
  name: "without-bare-imports",
  setup(build) {
    build.onEnd(({ outputFiles = [], metafile }) => {
      for (const file of outputFiles) {
        if (!file.path.endsWith(".js")) continue;
        const text = file.text.replaceAll(/^import "\.{1,2}\/chunk-[A-Z0-9]+\.js";\n/gm, "");
        file.contents = new TextEncoder().encode(text);
      }
      const texts = new Map(outputFiles.map(({ path, text }) => [path.split("/").at(-1), text]));
      for (const [path, output] of Object.entries(metafile?.outputs ?? {})) {
        const text = texts.get(path.split("/").at(-1)) ?? "";
        output.imports = output.imports.filter(
          (one) => one.external || text.includes(one.path.split("/").at(-1) ?? ""),
        );
      }
    });
  },
};
