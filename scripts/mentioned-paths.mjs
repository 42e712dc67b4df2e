// Finds the paths that a page mentions in `code`, and tells which of them do not exist.
import { readdirSync } from "node:fs";
import { join } from "node:path";

const PLACEHOLDER = /[<>…{}*]|\.\.\./;
const NOT_OURS = new Set([".git", "node_modules", "dist", ".turbo", ".reports"]);

/**
 * Paths mentioned as code that do not exist. A path counts when it ends like a file of ours or a folder (`src/modern/`), or
 * begins with a top-level folder. It may leave out where it begins: `select-era.ts` and `core/src/select-era.ts` are found
 * wherever they are. Paths with a placeholder or a star are passed over.
 *
 * @param {string} root
 * @param {string} markdown
 * @returns {{ line: number, path: string }[]}
 */
export function listMissingPaths(root, markdown) {
  const existing = listPaths(root);
  return markdown.split("\n").flatMap((text, index) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map((match) => match[1].replace(/[:#].*$/, "").replace(/^\.\//, ""))
      .filter((path) => isPath(path) && !PLACEHOLDER.test(path))
      .filter((path) => !existing.some((one) => one.endsWith(`/${path.replace(/\/$/, "")}`)))
      .map((path) => ({ line: index + 1, path })),
  );
}

function isPath(path) {
  if (path.startsWith("@") || path.startsWith("/") || path.includes("//")) return false;
  return (
    /^[\w./-]+(?:\.(?:ts|mjs|md|json|yaml)|\/)$/.test(path) || /^(?:packages|apps|docs|scripts|bench)\/./.test(path)
  );
}

/** Every file and folder, each with a leading slash. */
function listPaths(root, below = "") {
  return readdirSync(join(root, below), { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => {
      const path = `${below}/${entry.name}`;
      return entry.isDirectory() ? [path, ...listPaths(root, path)] : [path];
    });
}
