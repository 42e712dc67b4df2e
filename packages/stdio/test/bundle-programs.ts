import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the compiled programs. */
    programs: string;
  }
}

const SOURCES = fileURLToPath(new URL("./programs/", import.meta.url));

/**
 * Runs once before all tests: compiles the TypeScript programs that tests start as processes, with the packages of this workspace
 * from source, so that no build has to come first. Programs in plain JavaScript are started as they stand.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "stdio-programs-"));
  await build({
    entryPoints: readdirSync(SOURCES)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => SOURCES + file),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@mortise/source"],
    logLevel: "warning",
  });
  project.provide("programs", folder);
  return () => rmSync(folder, { recursive: true });
}
