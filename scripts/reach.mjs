// What the built packages load and contain, read from the metafiles that the bundler leaves beside them.
import { builtinModules } from "node:module";
import { BUNDLED } from "./bundled.mjs";

/** Packages whose default entry must run where there is no Node. */
const WEB_PACKAGES = new Set(["@mortise/core", "@mortise/server", "@mortise/http", "@mortise/client"]);
/** Entries of those packages that are for Node alone. */
const NODE_ENTRIES = new Set(["@mortise/client/oauth/node"]);
/** Files an entry loads at start: of its own package, and all together. */
const MAX_OWN_FILES = 5;
const MAX_FILES = 20;
/** Entries that share small files with others of their package, so that neither loads what only the other needs. */
const OWN_FILES = new Map([
  ["@mortise/client", 7],
  ["@mortise/client/oauth", 12],
  ["@mortise/client/oauth/node", 12],
]);

const BUILTINS = new Set(builtinModules);
const isBuiltin = (path) => path.startsWith("node:") || BUILTINS.has(path.split("/")[0]);
const isWorkspace = (path) => path.startsWith("@mortise/");

/**
 * @typedef {object} Built
 * @property {string} name
 * @property {Record<string, any>} manifest
 * @property {{ inputs: Record<string, any>, outputs: Record<string, any> }} metafile
 */

/**
 * Checks one built package.
 *
 * @param {Built} built
 * @param {ReadonlyMap<string, Built>} all every built package by name
 * @returns {string[]} problems, one sentence each
 */
export function findReachProblems(built, all) {
  return [...findForeignCode(built), ...findRoomCrossings(built), ...findEntryProblems(built, all)].map(
    (problem) => `${built.name}: ${problem}`,
  );
}

/** Only the package's own sources belong into its files: shared code is a dependency, never a second copy. */
function findForeignCode({ name, metafile }) {
  const problems = new Set();
  for (const path of Object.keys(metafile.inputs)) {
    if (path.startsWith("src/") || path.includes("(disabled)")) continue;
    const library = path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1];
    if (library !== undefined && library in (BUNDLED[name] ?? {})) continue;
    problems.add(library === undefined ? `bundles ${path}, which belongs to another package` : `bundles ${library}`);
  }
  return [...problems];
}

/** Nothing reachable from one era's room lies in the other's, however long the way. */
function findRoomCrossings({ metafile }) {
  const problems = [];
  for (const [room, other] of [
    ["modern", "legacy"],
    ["legacy", "modern"],
  ]) {
    const inside = Object.keys(metafile.inputs).filter((path) => path.startsWith(`src/${room}/`));
    const reached = reach(inside, (path) => metafile.inputs[path]?.imports.map((one) => one.path) ?? []);
    const crossing = [...reached].find((path) => path.startsWith(`src/${other}/`));
    if (crossing !== undefined) problems.push(`src/${room}/ reaches ${crossing}`);
  }
  return problems;
}

function findEntryProblems(built, all) {
  return listEntryFiles(built).flatMap(({ specifier, file }) => {
    const output = built.metafile.outputs[file];
    if (output === undefined) return [`${specifier} has no built file ${file}`];
    return [
      ...findNodeModules(built, specifier, file, all),
      ...findLibraries(built, specifier, file),
      ...findFileCount(built, specifier, file, all),
    ];
  });
}

function findNodeModules(built, specifier, file, all) {
  if (!WEB_PACKAGES.has(built.name) || NODE_ENTRIES.has(specifier)) return [];
  const found = listExternals(built, file, { withLazy: true, all }).filter(isBuiltin);
  return found.map((path) => `${specifier} reaches "${path}" without Node's condition`);
}

function findLibraries(built, specifier, file) {
  const lazy = listExternals(built, file, { withLazy: true });
  const atStart = listExternals(built, file, { withLazy: false });
  const isLibrary = (path) => !isBuiltin(path) && !isWorkspace(path) && !path.startsWith("#");
  return [
    ...lazy.filter((path) => /^zod(\/|$)/.test(path)).map(() => `${specifier} imports zod`),
    ...(specifier === built.name ? atStart.filter(isLibrary).map((path) => `${specifier} loads ${path} at start`) : []),
  ];
}

function findFileCount(built, specifier, file, all) {
  const own = reachFiles(built, file, false).size;
  const total = countFiles(built, file, all);
  const limit = OWN_FILES.get(specifier) ?? MAX_OWN_FILES;
  return [
    ...(own > limit ? [`${specifier} loads ${own} files of its own at start, ${limit} are allowed`] : []),
    ...(total > MAX_FILES ? [`${specifier} loads ${total} files at start, ${MAX_FILES} are allowed`] : []),
  ];
}

/** How many files one entry loads at start, those of the workspace packages it stands on included. */
export function countFiles(built, file, all) {
  const key = (one, path) => `${one.name}\n${path}`;
  const seen = new Map([[key(built, file), [built, file]]]);
  for (const [owner, path] of seen.values()) {
    for (const next of reachFiles(owner, path, false)) seen.set(key(owner, next), [owner, next]);
    for (const specifier of listExternals(owner, path, { withLazy: false })) {
      const target = resolveEntry(specifier, all);
      if (target !== undefined) seen.set(key(...target), target);
    }
  }
  return seen.size;
}

/** The built files of the `exports` map: `{ specifier, file }`, the file as the metafile names it. */
export function listEntryFiles({ name, manifest }) {
  return Object.entries(manifest.exports)
    .filter(([, target]) => typeof target?.default === "string" && target.default.endsWith(".js"))
    .map(([subpath, target]) => ({ specifier: name + subpath.slice(1), file: target.default.replace("./", "") }));
}

/** What a file imports from outside its package; with `all`, import maps are followed to what runs without Node. */
function listExternals(built, file, { withLazy, all }) {
  const found = new Set();
  for (const path of reachFiles(built, file, withLazy, all !== undefined)) {
    for (const one of built.metafile.outputs[path]?.imports ?? []) {
      if (one.external && (withLazy || one.kind === "import-statement")) found.add(one.path);
    }
  }
  return [...found];
}

function reachFiles(built, file, withLazy, throughMaps = false) {
  const { outputs } = built.metafile;
  return reach([file], (path) =>
    (outputs[path]?.imports ?? [])
      .filter((one) => withLazy || one.kind === "import-statement")
      .map((one) =>
        one.external && throughMaps ? followImportMap(built, one.path) : one.external ? undefined : one.path,
      )
      .filter((target) => target !== undefined),
  );
}

function followImportMap({ manifest }, path) {
  const target = manifest.imports?.[path];
  const file = typeof target === "string" ? target : target?.default;
  return (typeof file === "string" ? file : file?.default)?.replace("./", "");
}

function resolveEntry(specifier, all) {
  for (const built of all.values()) {
    const entry = listEntryFiles(built).find((one) => one.specifier === specifier);
    if (entry !== undefined) return [built, entry.file];
  }
  return undefined;
}

/** Everything that can be reached from the given items, these included. */
function reach(items, next) {
  const seen = new Set(items);
  for (const item of seen) for (const one of next(item)) seen.add(one);
  return seen;
}
