// pnpm package: every public entry offers exactly the names listed in its package's public-exports.txt, so that a new
// export is a visible decision. `pnpm exports:update` writes the lists anew.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { listEntries, listWorkspaces } from "./workspace.mjs";

const isUpdate = process.argv.includes("--update");
const problems = [];
for (const workspace of listWorkspaces().filter((one) => one.isPublic)) {
  const path = join(workspace.path, "public-exports.txt");
  const lines = [];
  for (const entry of listEntries(workspace)) lines.push(...(await describeEntry(workspace, entry)));
  const text = `${lines.join("\n")}\n`;
  if (isUpdate) writeFileSync(path, text);
  else problems.push(...compare(workspace.folder, existsSync(path) ? readFileSync(path, "utf8") : "", text));
}
for (const problem of problems) console.log(problem);
if (problems.length > 0) {
  console.log("If this is meant, run: pnpm exports:update");
  process.exitCode = 1;
}

async function describeEntry(workspace, { specifier, js, types }) {
  const values = Object.keys(await import(pathToFileURL(join(workspace.path, js)).href)).sort();
  const declared = readDeclaredNames(join(workspace.path, types)).sort();
  const onlyTypes = declared.filter((name) => !values.includes(name));
  for (const name of values) {
    if (!declared.includes(name)) problems.push(`${specifier} exports ${name} without declaring it`);
  }
  return [...values.map((name) => `${specifier} ${name}`), ...onlyTypes.map((name) => `${specifier} type ${name}`)];
}

/** Bundled declarations end in export lists by name; whatever else is exported there carries its name itself. */
function readDeclaredNames(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      return statement.exportClause.elements.map((element) => element.name.text);
    }
    const isExported = ts.canHaveModifiers(statement)
      ? ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)
      : false;
    return isExported && statement.name ? [statement.name.text] : [];
  });
}

function compare(folder, before, after) {
  const [old, now] = [new Set(before.split("\n")), new Set(after.split("\n"))];
  return [
    ...[...now].filter((line) => !old.has(line)).map((line) => `${folder}: new export: ${line}`),
    ...[...old].filter((line) => line !== "" && !now.has(line)).map((line) => `${folder}: export gone: ${line}`),
  ];
}
