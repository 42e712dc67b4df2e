import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkBlocks, listBlocks } from "../docs.mjs";
import { listMissingPaths } from "../mentioned-paths.mjs";
import { ROOT } from "../workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "mortise-docs-"));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "packages", "core", "src"), { recursive: true });
writeFileSync(join(folder, "packages", "core", "src", "lines.ts"), "");

const FENCE = "```";

test("finds the TypeScript blocks of a page with their lines", () => {
  const page = ["# Title", `${FENCE}ts`, "const a = 1;", FENCE, `${FENCE}sh`, "npm start", FENCE].join("\n");

  assert.deepEqual(listBlocks("a.md", page), [{ page: "a.md", line: 3, text: "const a = 1;" }]);
});

test("passes over blocks that opt out", () => {
  assert.deepEqual(listBlocks("a.md", `${FENCE}ts no-check\nnot code\n${FENCE}`), []);
});

test("a block that does not compile is named by page and line", () => {
  const good = {
    page: "good.md",
    line: 5,
    text: 'import { join } from "node:path";\nexport const a: string = join("a");',
  };
  const bad = { page: "bad.md", line: 10, text: "const a = 1;\nexport const b: string = a;" };

  const problems = checkBlocks([good, bad], { root: ROOT, workspaces: [] });

  assert.equal(problems.length, 1);
  assert.match(problems[0], /^bad\.md:11 /);
});

test("a mentioned path that does not exist is named", () => {
  const missing = listMissingPaths(folder, "See\n`packages/core/src/gone.ts`.");

  assert.deepEqual(missing, [{ line: 2, path: "packages/core/src/gone.ts" }]);
});

test("paths may leave out packages/ or name a file by its place in src", () => {
  assert.deepEqual(listMissingPaths(folder, "`packages/core/src/lines.ts` `core/src/lines.ts` `lines.ts`"), []);
});

test("names, patterns and placeholders are no paths", () => {
  assert.deepEqual(
    listMissingPaths(folder, "`@mortise/core` `server.tool()` `test/<era>/` `packages/*/src` `a/b`"),
    [],
  );
});
