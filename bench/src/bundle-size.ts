import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { BUNDLE_BYTES } from "./bars.js";

const ENTRIES = ["official", "tmcp", "mortise"] as const;

/** Bundles the smallest fetch-handler server of each implementation and prints its size; false when ours is over the bar. */
export async function reportBundles(without: readonly string[]): Promise<boolean> {
  console.log("\nfetch-handler server bundled and minified: what is loaded at start (bundle)");
  let reached = true;
  for (const name of ENTRIES.filter((entry) => !without.includes(entry))) {
    const { bytes, compressed, later } = await measureBundle(name);
    const ours = name === "mortise";
    if (ours) reached = compressed <= BUNDLE_BYTES;
    const bar = ours ? `  bar ${BUNDLE_BYTES / 1000} kB ${reached ? "pass" : "MISS"}` : "";
    const more = later === 0 ? "" : `  + ${(later / 1000).toFixed(1)} kB on demand`;
    const sizes = `${(bytes / 1000).toFixed(1).padStart(8)} kB ${(compressed / 1000).toFixed(1).padStart(8)} kB gzip`;
    console.log(`${name.padEnd(10)} ${sizes}${more}${bar}`);
  }
  return reached;
}

interface BundleSize {
  readonly bytes: number;
  readonly compressed: number;
  /** What is loaded only when it is needed, compressed. */
  readonly later: number;
}

async function measureBundle(name: string): Promise<BundleSize> {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL(`../src/bundles/${name}.ts`, import.meta.url).pathname],
    outdir: new URL("./bundles/", import.meta.url).pathname,
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
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
  const atStart = findLoadedAtStart(metafile);
  const size: Record<keyof BundleSize, number> = { bytes: 0, compressed: 0, later: 0 };
  for (const { path, contents } of outputFiles) {
    const compressed = gzipSync(contents, { level: 9 }).length;
    if (![...atStart].some((output) => path.endsWith(output))) {
      size.later += compressed;
      continue;
    }
    size.bytes += contents.length;
    size.compressed += compressed;
  }
  return size;
}

/** The entry's file and what it imports, without what it imports on demand. */
function findLoadedAtStart({ outputs }: Metafile): Set<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === "import-statement") visit(next);
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint?.includes("src/bundles/")) visit(path);
  }
  return found;
}
