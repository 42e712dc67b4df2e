import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { installPackages } from "./install-packages.js";

const PROGRAMS = fileURLToPath(new URL("./programs/", import.meta.url));

/** Where everything that is compiled for the tests is. */
export const BUILT: string = fileURLToPath(new URL("../dist/", import.meta.url));
/** A folder with the client installed in it, for runtimes that resolve packages themselves. */
export const INSTALLED: string = join(BUILT, "installed");
/** The client bundled for web pages. */
export const PAGE: string = join(BUILT, "page");
/** The client bundled for workerd. */
export const WORKER: string = join(BUILT, "worker");
/** A server for runtimes that start processes. */
export const STDIO_SERVER: string = join(BUILT, "server", "stdio-server.js");

/** Compiles the programs of the tests, with this workspace's packages from source. */
export async function buildPrograms(): Promise<void> {
  const installing = installPackages(INSTALLED);
  await Promise.all([
    bundle("stdio-server", { outdir: join(BUILT, "server"), platform: "node", conditions: ["@mortise/source"] }),
    bundle("page", { outdir: PAGE, platform: "browser", conditions: ["@mortise/source", "browser"] }),
    bundle("page-worker", { outdir: PAGE, platform: "browser", conditions: ["@mortise/source", "browser"] }),
    bundle("workerd", { outdir: WORKER, platform: "neutral", conditions: ["@mortise/source", "workerd", "worker"] }),
    installing,
  ]);
  await bundle("command-line", { outdir: INSTALLED, platform: "neutral", packages: "external" });
}

async function bundle(program: string, options: BuildOptions): Promise<void> {
  await build({
    entryPoints: [`${PROGRAMS}${program}.ts`],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
    ...options,
  });
}
