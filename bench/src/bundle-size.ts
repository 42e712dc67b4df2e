import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { BUNDLE_BYTES } from "./bars.js";

const ENTRIES = ["official", "tmcp", "mortise"] as const;

/** Bundles the smallest fetch-handler server of each implementation and prints its size; false when ours is over the bar. */
export async function reportBundles(without: readonly string[]): Promise<boolean> {
  console.log("\nfetch-handler server in one file, minified (bundle)");
  let reached = true;
  for (const name of ENTRIES.filter((entry) => !without.includes(entry))) {
    const { bytes, compressed } = await measureBundle(name);
    const ours = name === "mortise";
    if (ours) reached = compressed <= BUNDLE_BYTES;
    const bar = ours ? `  bar ${BUNDLE_BYTES / 1000} kB ${reached ? "pass" : "MISS"}` : "";
    console.log(
      `${name.padEnd(10)} ${(bytes / 1000).toFixed(1).padStart(8)} kB ${(compressed / 1000).toFixed(1).padStart(8)} kB gzip${bar}`,
    );
  }
  return reached;
}

async function measureBundle(name: string): Promise<{ bytes: number; compressed: number }> {
  const source = new URL(`../src/bundles/${name}.ts`, import.meta.url).pathname;
  const outfile = new URL(`./bundles/${name}.js`, import.meta.url).pathname;
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import", "default"],
    external: ["node:*"],
    target: "es2022",
    legalComments: "none",
    logLevel: "error",
  });
  const bytes = readFileSync(outfile);
  return { bytes: bytes.length, compressed: gzipSync(bytes, { level: 9 }).length };
}
