// Compiles the sources next to this file, with the packages of this workspace from source, and runs the checks.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("./", import.meta.url));
const COMPILED = fileURLToPath(new URL("../dist/soak/", import.meta.url));

/**
 * Runs the checks of `main.ts`.
 *
 * @param {readonly string[]} args see there
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSoak(args) {
  rmSync(COMPILED, { recursive: true, force: true });
  await build({
    entryPoints: ["main.ts", "subject-server.ts"].map((file) => SOURCES + file),
    outdir: COMPILED,
    bundle: true,
    splitting: true,
    conditions: ["@mortise/source"],
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  const { soak } = await import(`${COMPILED}main.js`);
  return soak(args);
}
