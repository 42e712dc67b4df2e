// What the repository consists of, read from the manifests. Plain Node: it runs before anything is installed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @typedef {object} Workspace
 * @property {string} folder path below the root, with forward slashes
 * @property {string} path absolute path
 * @property {string} name npm name
 * @property {boolean} isPublic whether it is published
 * @property {Record<string, any>} manifest parsed package.json
 */

/** @returns {Workspace[]} every workspace of the repository, sorted by folder */
export function listWorkspaces(root = ROOT) {
  const folders = ["packages", "apps"].flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [],
  );
  return [...folders, "bench"]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort()
    .map((folder) => {
      const path = join(root, folder);
      const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      return { folder, path, name: manifest.name, isPublic: manifest.private !== true, manifest };
    });
}

/**
 * The public entries of a workspace: what its `exports` map offers to importers.
 *
 * @param {Workspace} workspace
 * @returns {{ specifier: string, source: string | undefined, js: string | undefined, types: string | undefined }[]}
 */
export function listEntries(workspace) {
  return Object.entries(workspace.manifest.exports ?? {})
    .filter(([, target]) => typeof target === "object" && target !== null)
    .map(([subpath, target]) => ({
      specifier: workspace.name + subpath.slice(1),
      source: target["@mortise/source"],
      js: target.default,
      types: target.types,
    }));
}

/**
 * The given workspaces together with every workspace they depend on.
 *
 * @param {Workspace[]} workspaces
 * @param {readonly string[]} folders
 * @returns {Workspace[]}
 */
export function withDependencies(workspaces, folders) {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const found = new Set();
  const visit = (workspace) => {
    if (workspace === undefined || found.has(workspace)) return;
    found.add(workspace);
    const { dependencies, devDependencies, peerDependencies } = workspace.manifest;
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }))
      visit(byName.get(name));
  };
  for (const workspace of workspaces) if (folders.includes(workspace.folder)) visit(workspace);
  return workspaces.filter((workspace) => found.has(workspace));
}
