// Finds the TypeScript blocks of Markdown pages and typechecks them as if they were files of the repository.
import { join } from "node:path";
import ts from "typescript";

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
  host.resolveModuleNameLiterals = (literals, from, ...[, , source]) =>
    literals.map((literal) => {
      if (files.has(from)) return resolveForBlock(literal.text, { root, workspaces, options, host });
      const mode = ts.getModeForUsageLocation(source, literal, options);
      return ts.resolveModuleName(literal.text, from, options, host, undefined, undefined, mode);
    });
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

/** Where a block may stand: beside the root's configuration, or in any workspace, which sees what that one depends on. */
function resolveForBlock(specifier, { root, workspaces, options, host }) {
  const places = [root, ...workspaces.map((workspace) => workspace.path)];
  for (const place of places) {
    const from = join(place, "docs-block.mts");
    const found = ts.resolveModuleName(specifier, from, options, host, undefined, undefined, ts.ModuleKind.ESNext);
    if (found.resolvedModule !== undefined) return found;
  }
  return { resolvedModule: undefined };
}
