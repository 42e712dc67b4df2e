import { mkdirSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** Where the compiled fixture programs are: in this package, whose dependencies they import. */
export const FIXTURES: string = fileURLToPath(new URL("../dist/fixtures/", import.meta.url));

/** The same for the Inspector's tests, which may run at the same time. */
export const INSPECTOR_FIXTURES: string = fileURLToPath(new URL("../dist/inspector-fixtures/", import.meta.url));

/** Compiles the fixture programs into a folder, with this workspace's packages from source. */
export async function buildFixtures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const programs = readdirSync(SOURCES).filter((file) => /-(stdio|http|http-\w+)\.ts$/.test(file));
  await build({
    entryPoints: programs.map((file) => SOURCES + file),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@mortise/source"],
    external: ["@modelcontextprotocol/*", "@tmcp/*", "fastmcp", "tmcp", "zod"],
    logLevel: "warning",
  });
}
