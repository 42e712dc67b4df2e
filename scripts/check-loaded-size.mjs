// pnpm size: what programs load to do their work, minified and gzipped. Every program is run, and all counts that it loaded, at
// once or later: once as a bundler cuts it into files, and once put together in one file, without what the run did not need.
// A ceiling is raised only in the change that needs it, with the reason in the changeset.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { ROOT } from "./workspace.mjs";

const FOLDER = join(ROOT, "packages", "testing", "size");
const { build } = createRequire(join(FOLDER, "index.mjs"))("esbuild");
const PROGRAMS = [
  { name: "browser client", file: "browser-client.mjs", use: "use-browser-client.mjs", one: 14, split: 15.2 },
  {
    name: "browser client with login",
    file: "browser-client-with-login.mjs",
    use: "use-browser-client-with-login.mjs",
    one: 32,
    split: 33.8,
  },
  { name: "fetch-handler server", file: "fetch-server.mjs", use: "use-fetch-server.mjs", one: 44.5, split: 45.5 },
];
/** Written before the code of each file of a bundle, and not counted. */
const NOTE = "globalThis.loadedFiles.add(import.meta.url);\n";
const OPTIONS = {
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  write: false,
  metafile: true,
  outdir: "bundled",
  logLevel: "error",
};

for (const program of PROGRAMS) {
  const split = await measureSplit(program);
  const one = await measureInOneFile(program, split.inputs);
  report(`${program.name}, in one file`, one, program.one);
  report(`${program.name}, in ${split.files.length} files`, sum(split.files), program.split);
  if (process.argv.includes("--parts")) split.files.forEach(printFile);
}

function report(name, bytes, limit) {
  if (bytes > limit * 1_000) process.exitCode = 1;
  console.log(`${name}: ${(bytes / 1_000).toFixed(2)} kB of ${limit} kB`);
}

function sum(files) {
  return files.reduce((bytes, file) => bytes + file.bytes, 0);
}

/** Lets a program do its work as a bundler cuts it into files, and gives those that it loaded, and what they are made of. */
async function measureSplit({ file, use }) {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: { program: join(FOLDER, file) },
    splitting: true,
    banner: { js: NOTE.trimEnd() },
  });
  globalThis.loadedFiles = new Set();
  await run(outputFiles, use);
  const loaded = new Set([...globalThis.loadedFiles].map((url) => basename(url)));
  const files = outputFiles
    .filter(({ path }) => loaded.has(basename(path)))
    .map(({ path, text }) => ({ bytes: compress(takeNote(text)), inputs: inputsOf(metafile, path) }))
    .sort((one, other) => other.bytes - one.bytes);
  return { files, inputs: files.flatMap(({ inputs }) => Object.keys(inputs)) };
}

function inputsOf({ outputs }, path) {
  const [, { inputs }] = Object.entries(outputs).find(([name]) => basename(name) === basename(path));
  return inputs;
}

/** Puts all that a run loaded into one file, without what it could have loaded besides. It must do the same work. */
async function measureInOneFile({ file, use }, inputs) {
  const needed = new Set(inputs.map((path) => resolve(path)));
  const withoutTheRest = {
    name: "without-the-rest",
    setup({ onResolve, resolve: find }) {
      onResolve({ filter: /./ }, async ({ kind, path, resolveDir, pluginData }) => {
        if (kind !== "dynamic-import" || pluginData === "found") return undefined;
        const found = await find(path, { kind, resolveDir, pluginData: "found" });
        return needed.has(found.path) ? undefined : { path, external: true };
      });
    },
  };
  const entryPoints = { program: join(FOLDER, file) };
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, plugins: [withoutTheRest] });
  await run(outputFiles, use);
  return compress(outputFiles[0].text);
}

async function run(outputFiles, use) {
  const folder = await mkdtemp(join(tmpdir(), "loaded-size-"));
  try {
    for (const { path, contents } of outputFiles) await writeFile(join(folder, basename(path)), contents);
    const program = await import(pathToFileURL(join(folder, "program.js")).href);
    const { use: work } = await import(pathToFileURL(join(FOLDER, use)).href);
    await work(program);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function takeNote(text) {
  if (!text.startsWith(NOTE)) throw new Error("Expected each file to begin with the note of its loading");
  return text.slice(NOTE.length);
}

function compress(text) {
  return gzipSync(text, { level: 9 }).length;
}

function printFile({ bytes, inputs }) {
  const listed = Object.entries(inputs)
    .sort(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
    .slice(0, 4)
    .map(([path, { bytesInOutput }]) => `${path.replace(/.*packages\//, "")} ${bytesInOutput}`);
  console.log(`  ${String(bytes).padStart(6)}  ${listed.join(", ")}`);
}
