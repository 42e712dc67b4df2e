import assert from "node:assert/strict";
import { test } from "node:test";
import { countFiles, findReachProblems } from "../reach.mjs";

test("a package of its own code alone is fine", () => {
  assert.deepEqual(check(fakeBuilt("@mortise/core", [])), []);
});

test("bundled code of another package is a problem", () => {
  const built = fakeBuilt("@mortise/http", [], { inputs: { "../core/src/json.ts": { imports: [] } } });

  assert.match(check(built)[0], /belongs to another package/);
});

test("a bundled library is a problem", () => {
  const inputs = { "../../node_modules/.pnpm/zod@4/node_modules/zod/index.js": { imports: [] } };

  assert.deepEqual(check(fakeBuilt("@mortise/core", [], { inputs })), ["@mortise/core: bundles zod"]);
});

test("a web package that reaches a Node module in a lazy chunk is a problem", () => {
  const built = fakeBuilt("@mortise/http", [{ path: "dist/chunk.js", kind: "dynamic-import" }]);
  built.metafile.outputs["dist/chunk.js"] = { imports: [{ path: "fs", kind: "import-statement", external: true }] };

  assert.match(check(built)[0], /reaches "fs"/);
});

test("a web package may reach Node behind its import map", () => {
  const built = fakeBuilt("@mortise/client", [{ path: "#platform", kind: "import-statement", external: true }]);
  built.manifest.imports = { "#platform": { node: "./dist/node.js", default: "./dist/web.js" } };
  built.metafile.outputs["dist/node.js"] = {
    imports: [{ path: "node:http", kind: "import-statement", external: true }],
  };
  built.metafile.outputs["dist/web.js"] = { imports: [] };

  assert.deepEqual(check(built), []);
});

test("the side of an import map that runs without Node reaches no Node module", () => {
  const built = fakeBuilt("@mortise/client", [{ path: "#platform", kind: "import-statement", external: true }]);
  built.manifest.imports = { "#platform": { node: "./dist/node.js", default: "./dist/web.js" } };
  built.metafile.outputs["dist/web.js"] = {
    imports: [{ path: "node:http", kind: "import-statement", external: true }],
  };

  assert.match(check(built)[0], /reaches "node:http"/);
});

test("a package for Node may reach Node", () => {
  const built = fakeBuilt("@mortise/node", [{ path: "node:http", kind: "import-statement", external: true }]);

  assert.deepEqual(check(built), []);
});

test("zod is a problem even when loaded late", () => {
  const built = fakeBuilt("@mortise/server", [{ path: "zod/mini", kind: "dynamic-import", external: true }]);

  assert.match(check(built)[0], /imports zod/);
});

test("a library loaded at start by the default entry is a problem", () => {
  const built = fakeBuilt("@mortise/server", [{ path: "validator", kind: "import-statement", external: true }]);

  assert.match(check(built)[0], /loads validator at start/);
});

test("one era reaching the other in several steps is a problem", () => {
  const inputs = {
    "src/modern/open.ts": { imports: [{ path: "src/dispatch.ts" }] },
    "src/dispatch.ts": { imports: [{ path: "src/legacy/index.ts" }] },
    "src/legacy/index.ts": { imports: [] },
  };

  assert.match(check(fakeBuilt("@mortise/server", [], { inputs }))[0], /src\/modern\/ reaches src\/legacy\/index.ts/);
});

test("too many files at start are a problem", () => {
  const chunks = Array.from({ length: 8 }, (_, index) => ({
    path: `dist/chunk-${index}.js`,
    kind: "import-statement",
  }));

  assert.match(check(fakeBuilt("@mortise/server", chunks))[0], /loads 9 files of its own/);
});

test("files of the packages an entry stands on are counted, lazy ones are not", () => {
  const core = fakeBuilt("@mortise/core", [{ path: "dist/late.js", kind: "dynamic-import" }]);
  const http = fakeBuilt("@mortise/http", [
    { path: "@mortise/core", kind: "import-statement", external: true },
    { path: "dist/chunk.js", kind: "import-statement" },
  ]);
  const all = new Map([
    [core.name, core],
    [http.name, http],
  ]);

  assert.equal(countFiles(http, "dist/index.js", all), 3);
});

test("an entry without a built file is a problem", () => {
  const built = fakeBuilt("@mortise/core", []);
  built.manifest.exports["./more"] = { default: "./dist/more.js" };

  assert.match(check(built)[0], /has no built file/);
});

function check(built) {
  return findReachProblems(built, new Map([[built.name, built]]));
}

function fakeBuilt(name, imports, { inputs = {} } = {}) {
  return {
    name,
    manifest: { name, exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } } },
    metafile: { inputs: { "src/index.ts": { imports: [] }, ...inputs }, outputs: { "dist/index.js": { imports } } },
  };
}
