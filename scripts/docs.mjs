// Finds the TypeScript blocks of Markdown pages and typechecks them as if they were files of the repository.
import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { listEntries } from "./workspace.mjs";

/**
 * @typedef {{ page: string, line: number, text: string }} Block
 *   `page` is the page's path, `line` the number of the block's first line of code
 */

/**
 * The blocks that begin with ```ts and do not opt out with ```ts no-check.
 *
 * @param {string} page
 * @param {string} markdown
 * @returns {Block[]}
 */
export function listBlocks(page, markdown) {
  const blocks = [];
  let open;
  for (const [index, line] of markdown.split("\n").entries()) {
    const fence = line.match(/^\s*(`{3,})\s*(.*)$/);
    if (open === undefined && fence) {
      open = { page, line: index + 2, fence: fence[1], info: fence[2].trim().split(/\s+/), lines: [] };
    } else if (open !== undefined && fence?.[1] === open.fence && fence[2] === "") {
      const isTypeScript = open.info[0] === "ts" || open.info[0] === "typescript";
      if (isTypeScript && !open.info.includes("no-check")) {
        blocks.push({ page, line: open.line, text: open.lines.join("\n") });
      }
      open = undefined;
    } else open?.lines.push(line);
  }
  return blocks;
}

/**
 * Typechecks blocks. Each is a module of its own; workspace packages resolve to their sources.
 *
 * @param {readonly Block[]} blocks
 * @param {{ root: string, workspaces: import("./workspace.mjs").Workspace[] }} repository
 * @returns {string[]} problems as `page:line message`
 */
export function checkBlocks(blocks, { root, workspaces }) {
  const files = new Map(blocks.map((block, index) => [join(root, `docs-block-${index}.mts`), block]));
  const options = {
    ...readBaseOptions(root),
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
    noEmit: true,
    declaration: false,
    isolatedDeclarations: false,
    paths: listPaths(root, workspaces, blocks),
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path)?.text ?? readFile(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const block = files.get(path);
    if (block === undefined) return getSourceFile(path, languageVersion, ...rest);
    return ts.createSourceFile(path, block.text, languageVersion, true);
  };
  host.getCurrentDirectory = () => root;
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([path, block]) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((found) => {
      const line = block.line + source.getLineAndCharacterOfPosition(found.start ?? 0).line;
      return `${block.page}:${line} ${ts.flattenDiagnosticMessageText(found.messageText, " ")}`;
    });
  });
}

function readBaseOptions(root) {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile);
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options;
}

/** Workspace packages by their sources; other libraries from whichever workspace has them installed. */
function listPaths(root, workspaces, blocks) {
  const paths = {};
  for (const workspace of workspaces) {
    for (const { specifier, source } of listEntries(workspace)) {
      if (source !== undefined) paths[specifier] = [join(workspace.path, source)];
    }
  }
  for (const name of blocks.flatMap(({ text }) => listLibraries(text))) {
    if (name in paths || existsSync(join(root, "node_modules", name))) continue;
    const owner = workspaces.find((workspace) => existsSync(join(workspace.path, "node_modules", name)));
    if (owner === undefined) continue;
    paths[name] = [join(owner.path, "node_modules", name)];
    paths[`${name}/*`] = [join(owner.path, "node_modules", name, "*")];
  }
  return paths;
}

function listLibraries(text) {
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((specifier) => !/^(\.|#|node:|@mortise\/)/.test(specifier))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
}
