// pnpm size: what programs load to do their work, minified, split and gzipped file by file as a bundler leaves it. Every
// program is run, and counts all that it loaded, at once or later. A ceiling is raised only in the change that needs it,
// with the reason in the changeset.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { ROOT } from "./workspace.mjs";

const FOLDER = join(ROOT, "packages", "testing", "size");
const { build } = createRequire(join(FOLDER, "index.mjs"))("esbuild");
const PROGRAMS = [
  { name: "browser client", file: "browser-client.mjs", use: "use-browser-client.mjs", limit: 15.4 },
  {
    name: "browser client with login",
    file: "browser-client-with-login.mjs",
    use: "use-browser-client-with-login.mjs",
    limit: 34,
  },
  { name: "fetch-handler server", file: "fetch-server.mjs", use: "use-fetch-server.mjs", limit: 45.5 },
];
/** Written before the code of each file of a bundle, and not counted. */
const NOTE = "globalThis.loadedFiles.add(import.meta.url);\n";

for (const program of PROGRAMS) {
  const { loaded, sources } = await run(program);
  const bytes = [...loaded.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > program.limit * 1_000) process.exitCode = 1;
  console.log(`${program.name}: ${(bytes / 1_000).toFixed(2)} kB of ${program.limit} kB`);
  if (process.argv.includes("--parts")) printParts(loaded, sources);
}

/** Bundles a program, lets it do its work, and gives the files that it loaded with their sizes. */
async function run({ file, use }) {
  const folder = await mkdtemp(join(tmpdir(), "loaded-size-"));
  try {
    const { outputFiles, metafile } = await bundle(join(FOLDER, file), folder);
    for (const { path, contents } of outputFiles) await writeFile(path, contents);
    globalThis.loadedFiles = new Set();
    const program = await import(pathToFileURL(join(folder, "program.js")).href);
    const { use: work } = await import(pathToFileURL(join(FOLDER, use)).href);
    await work(program);
    const loaded = new Set([...globalThis.loadedFiles].map((url) => basename(url)));
    const files = outputFiles.filter(({ path }) => loaded.has(basename(path)));
    return {
      loaded: new Map(files.map(({ path, text }) => [basename(path), compress(text)])),
      sources: new Map(Object.entries(metafile.outputs).map(([path, { inputs }]) => [basename(path), inputs])),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function compress(text) {
  if (!text.startsWith(NOTE)) throw new Error("Expected each file to begin with the note of its loading");
  return gzipSync(text.slice(NOTE.length), { level: 9 }).length;
}

function bundle(entry, outdir) {
  return build({
    entryPoints: { program: entry },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    outExtension: { ".js": ".js" },
    platform: "browser",
    target: "es2022",
    banner: { js: NOTE.trimEnd() },
    write: false,
    metafile: true,
    outdir,
    logLevel: "error",
  });
}

function printParts(loaded, sources) {
  for (const [name, bytes] of [...loaded].sort(([, one], [, other]) => other - one)) {
    const inputs = Object.entries(sources.get(name)).sort(
      ([, one], [, other]) => other.bytesInOutput - one.bytesInOutput,
    );
    const listed = inputs
      .slice(0, 4)
      .map(([path, { bytesInOutput }]) => `${path.replace(/.*packages\//, "")} ${bytesInOutput}`);
    console.log(`  ${String(bytes).padStart(6)}  ${listed.join(", ")}`);
  }
}
