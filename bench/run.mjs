// Compiles the sources next to this file and starts the run. Packages stay outside the bundle, as a user's program would load them.
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const root = new URL("./", import.meta.url).pathname;
const folders = ["src", "src/servers", "src/starts", "src/clients"];
const entryPoints = folders.flatMap((folder) =>
  readdirSync(root + folder)
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => folder !== "src" || file === "main.ts")
    .map((file) => `${root}${folder}/${file}`),
);

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  entryPoints,
  outdir: `${root}dist`,
  outbase: `${root}src`,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
await import(`${root}dist/main.js`);
