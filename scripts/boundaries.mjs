// The boundaries of the repository as data, and the check of one file against them.
import { builtinModules } from "node:module";
import { posix } from "node:path";
import ts from "typescript";
import { BUNDLED } from "./bundled.mjs";

/** What the published sources may import from the workspace: everything, types alone, or more than types below one folder. */
const ARROWS = {
  "@mortise/core": {},
  "@mortise/server": { "@mortise/core": "all" },
  "@mortise/http": { "@mortise/core": "all", "@mortise/server": "all" },
  "@mortise/node": { "@mortise/core": "all", "@mortise/server": "all", "@mortise/http": "all" },
  "@mortise/stdio": { "@mortise/core": "all", "@mortise/server": "types" },
  "@mortise/client": { "@mortise/core": "all", "@mortise/stdio": "src/platform/" },
  "@mortise/tools": { "@mortise/core": "all", "@mortise/server": "all" },
  mortise: {
    "@mortise/core": "all",
    "@mortise/server": "all",
    "@mortise/node": "all",
    "@mortise/stdio": "all",
    "@mortise/client": "all",
    "@mortise/tools": "all",
  },
};
/** These packages run wherever web standards do; folders given here are the parts that Node alone loads. */
const WEB_PACKAGES = {
  "@mortise/core": [],
  "@mortise/server": [],
  "@mortise/http": [],
  "@mortise/client": ["src/platform/", "src/oauth/node/"],
};
const VAGUE_NAMES = new Set(["utils.ts", "helpers.ts", "types.ts", "common.ts", "shared.ts", "misc.ts"]);
const ROOMS = ["modern", "legacy"];
const BUILTINS = new Set(builtinModules);

/**
 * @typedef {{ specifier: string, line: number, typeOnly: boolean }} Import
 * @typedef {{ line: number, rule: string, message: string }} Problem
 */

/**
 * Checks the imports of one file.
 *
 * @param {{ workspace: import("./workspace.mjs").Workspace, workspaces: import("./workspace.mjs").Workspace[], file: string, text: string }} input
 *   `file` is the path below the workspace's folder
 * @returns {Problem[]}
 */
export function findBoundaryProblems({ workspace, workspaces, file, text }) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports = listImports(source);
  const isSource = file.startsWith("src/");
  const problems = imports.flatMap((one) => [
    ...checkPath(one, file),
    ...checkDeclared(one, workspace, workspaces, isSource),
    ...(isSource ? checkArrow(one, workspace, file) : []),
    ...(isSource ? checkPlatform(one, workspace, file) : []),
    ...(isSource ? checkRoom(one, file) : []),
  ]);
  if (isSource) problems.push(...checkBothRooms(imports, file));
  if (isSource && workspace.isPublic) problems.push(...findTopLevelAwait(source));
  if (VAGUE_NAMES.has(posix.basename(file))) {
    problems.push({ line: 1, rule: "vague-name", message: "Name the file for its content" });
  }
  return problems.sort((a, b) => a.line - b.line);
}

function checkPath({ specifier, line }, file) {
  if (!specifier.startsWith(".")) return [];
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  if (!target.startsWith("../") || /^\.\.\/\.\.\/[^/]+$/.test(target)) return [];
  return [{ line, rule: "by-path", message: `Import another package by its public name, not "${specifier}"` }];
}

function checkDeclared({ specifier, line }, workspace, workspaces, isSource) {
  const name = packageName(specifier);
  if (name === undefined || name === workspace.name) return [];
  const { dependencies, peerDependencies, devDependencies } = workspace.manifest;
  const mayUseDev = !isSource || !workspace.isPublic || name in (BUNDLED[workspace.name] ?? {});
  const declared = { ...dependencies, ...peerDependencies, ...(mayUseDev ? devDependencies : {}) };
  if (!(name in declared)) {
    return [{ line, rule: "undeclared", message: `"${name}" is not a dependency of ${workspace.name}` }];
  }
  const owner = workspaces.find((one) => one.name === name);
  if (owner === undefined) return [];
  const subpath = `.${specifier.slice(name.length)}`;
  if (!(subpath in (owner.manifest.exports ?? {}))) {
    return [{ line, rule: "not-public", message: `"${specifier}" is not a public entry of ${name}` }];
  }
  if (owner.folder.startsWith("apps/") && !workspace.folder.startsWith("apps/")) {
    return [{ line, rule: "imports-app", message: `No package imports an app, "${name}" is one` }];
  }
  return [];
}

function checkArrow({ specifier, line, typeOnly }, workspace, file) {
  const arrows = ARROWS[workspace.name];
  if (arrows === undefined) return [];
  const name = packageName(specifier);
  if (name === undefined || name === workspace.name) return [];
  if (name === "zod") {
    return [
      { line, rule: "no-zod", message: "Read wire shapes by hand-written parse functions: zod slows every start" },
    ];
  }
  if (!name.startsWith("@mortise/") && name !== "mortise") return [];
  const allowed = arrows[name];
  if (allowed === "all" || (allowed !== undefined && (typeOnly || (allowed !== "types" && file.startsWith(allowed))))) {
    return [];
  }
  const limits = { undefined: "does not import", types: "imports only types of" };
  const message = `${workspace.name} ${limits[String(allowed)] ?? `imports only types of, outside ${allowed},`} ${name}`;
  return [{ line, rule: "arrow", message }];
}

function checkPlatform({ specifier, line }, workspace, file) {
  if (!(workspace.name in WEB_PACKAGES)) return [];
  const isNode = specifier.startsWith("node:") || BUILTINS.has(specifier.split("/")[0]);
  const exempt = WEB_PACKAGES[workspace.name];
  if (!isNode || exempt.some((folder) => file.startsWith(folder))) return [];
  return [
    { line, rule: "web-only", message: `${workspace.name} runs on web standards alone, "${specifier}" is Node's` },
  ];
}

/** The era room a file of `src` lies in, or undefined. */
function roomOf(path) {
  const part = path.split("/")[1];
  return ROOMS.includes(part) && path.split("/").length > 2 ? part : undefined;
}

function checkRoom({ specifier, line }, file) {
  if (!specifier.startsWith(".")) return [];
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  const [from, to] = [roomOf(file), roomOf(target)];
  if (to === undefined || from === to) return [];
  if (from !== undefined) {
    return [{ line, rule: "room-to-room", message: `${from}/ never imports ${to}/: move what both need beside them` }];
  }
  // The public list names every export at its origin.
  if (file === "src/index.ts" || target === `src/${to}/index.js`) return [];
  return [{ line, rule: "room-inside", message: `Import "${to}/index.js": the inside of an era is closed` }];
}

function checkBothRooms(imports, file) {
  if (["src/eras.ts", "src/index.ts"].includes(file)) return [];
  const entered = new Map();
  for (const { specifier, line } of imports) {
    if (!specifier.startsWith(".")) continue;
    const room = roomOf(posix.normalize(posix.join(posix.dirname(file), specifier)));
    if (room !== undefined && room !== roomOf(file)) entered.set(room, line);
  }
  if (entered.size < 2) return [];
  return [{ line: Math.max(...entered.values()), rule: "both-rooms", message: "Only eras.ts knows both eras" }];
}

function packageName(specifier) {
  if (/^(\.|#|node:|\/)/.test(specifier)) return undefined;
  const parts = specifier.split("/");
  if (BUILTINS.has(parts[0])) return undefined;
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}

/**
 * Every module a file names: imports, re-exports, dynamic imports, `require` and `import("…")` types.
 *
 * @param {ts.SourceFile} source
 * @returns {Import[]}
 */
export function listImports(source) {
  const found = [];
  const add = (literal, typeOnly) => {
    if (literal === undefined || !ts.isStringLiteralLike(literal)) return;
    const line = source.getLineAndCharacterOfPosition(literal.getStart(source)).line + 1;
    found.push({ specifier: literal.text, line, typeOnly });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node))
      add(node.moduleSpecifier, node.isTypeOnly || hasOnlyTypes(node.exportClause));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && isModuleCall(node.expression)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTypeImport(clause) {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  return clause.name === undefined && hasOnlyTypes(clause.namedBindings);
}

function hasOnlyTypes(bindings) {
  const elements = bindings && "elements" in bindings ? bindings.elements : [];
  return elements.length > 0 && elements.every((element) => element.isTypeOnly);
}

function isModuleCall(expression) {
  return (
    expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === "require")
  );
}

function findTopLevelAwait(source) {
  const problems = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node)) return;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      problems.push({ line, rule: "top-level-await", message: "A published module that awaits cannot be required" });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}
