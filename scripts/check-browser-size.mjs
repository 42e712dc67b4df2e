// pnpm size: what a web page loads to call a server over HTTP, in either era: minified, split and gzipped file by file, as a
// bundler leaves it. Counts what loads at once, and of the rest what such a call needs. A ceiling is raised only in the change
// that needs it, with the reason in the changeset.
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./workspace.mjs";

const FOLDER = join(ROOT, "packages", "testing", "size");
const { build } = createRequire(join(FOLDER, "index.mjs"))("esbuild");

const PAGES = [
  {
    name: "browser client with login",
    file: "browser-client-with-login.mjs",
    limit: 60,
    // What a login page, a new client and its first tokens need.
    loads: ["auth-layer", "login-work", "guarded-fetch", "code-flow", "ask-challenge", "dynamic-registration"],
  },
];

let failed = false;
for (const page of PAGES) {
  const files = await bundle(page.file);
  const kilobytes = measure(files, page.loads) / 1_000;
  if (kilobytes > page.limit) failed = true;
  console.log(`${page.name}: ${kilobytes.toFixed(2)} kB of ${page.limit} kB`);
}
process.exitCode = failed ? 1 : 0;

/** The files of a bundle by name, each with its size, the sources in it, and what it imports at once. */
async function bundle(file) {
  const { metafile, outputFiles } = await build({
    entryPoints: { page: join(FOLDER, file) },
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
    outdir: join(FOLDER, "out"),
    logLevel: "error",
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).length]),
  );
  return new Map(
    Object.entries(metafile.outputs).map(([path, { imports, inputs }]) => [
      basename(path),
      {
        bytes: sizes.get(basename(path)),
        sources: Object.keys(inputs).map((source) => basename(source)),
        imports: imports.filter(({ kind }) => kind === "import-statement").map((one) => basename(one.path)),
      },
    ]),
  );
}

/** Adds up what is loaded: the page, parts that it loads later by the names they have in a build, and what those import. */
function measure(files, parts) {
  const loaded = new Set();
  const load = (name) => {
    if (loaded.has(name)) return;
    loaded.add(name);
    files.get(name).imports.forEach(load);
  };
  load("page.js");
  for (const part of parts) {
    const named = [...files].filter(([, { sources }]) => sources.some((source) => isPart(source, part)));
    if (named.length === 0) throw new Error(`Expected a part of the bundle to be named "${part}"`);
    for (const [name] of named) load(name);
  }
  return [...loaded].reduce((sum, name) => sum + files.get(name).bytes, 0);
}

/** Builds put a hash behind the name of a module that is loaded later. */
function isPart(source, part) {
  return source === `${part}.js` || new RegExp(`^${part}-[A-Z0-9]{8}\\.js$`).test(source);
}
