// Finds the paths that a page mentions in `code`, and tells which of them do not exist.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const TOP = /^(?:packages|apps|docs|scripts|bench|\.ci|\.changeset)(?:\/|$)/;
const PLACEHOLDER = /[<>…{}*]|\.\.\./;

/**
 * Paths mentioned as code that do not exist. A path counts when it begins with a top-level folder or ends like a file
 * of ours; one such as `server/src/seal.ts` may leave out `packages/`. Paths with a placeholder or a star are passed over.
 *
 * @param {string} root
 * @param {string} markdown
 * @returns {{ line: number, path: string }[]}
 */
export function listMissingPaths(root, markdown) {
  const bases = ["", "packages/", ...listFolders(root).map((folder) => `${folder}/src/`)];
  return markdown.split("\n").flatMap((text, index) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map((match) => match[1].replace(/[:#].*$/, "").replace(/^\.\//, ""))
      .filter((path) => !PLACEHOLDER.test(path) && isPath(path))
      .filter((path) => !bases.some((base) => existsSync(join(root, base + path))))
      .map((path) => ({ line: index + 1, path })),
  );
}

function isPath(path) {
  if (path.startsWith("@")) return false;
  return TOP.test(path) ? path.includes("/") : /^[\w./-]+\.(?:ts|mjs|md|json)$/.test(path);
}

function listFolders(root) {
  return ["packages", "apps"].flatMap((parent) =>
    existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [],
  );
}
