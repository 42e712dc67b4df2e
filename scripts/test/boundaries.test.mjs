import assert from "node:assert/strict";
import { test } from "node:test";
import { findBoundaryProblems } from "../boundaries.mjs";

const workspaces = [
  fakeWorkspace("packages/core", "@mortise/core", {}),
  fakeWorkspace("packages/server", "@mortise/server", { "@mortise/core": "1" }, { zod: "4" }),
  fakeWorkspace("packages/http", "@mortise/http", { "@mortise/core": "1", "@mortise/server": "1" }),
  fakeWorkspace("packages/stdio", "@mortise/stdio", { "@mortise/core": "1", "@mortise/server": "1" }),
  fakeWorkspace("packages/client", "@mortise/client", { "@mortise/core": "1", "@mortise/stdio": "1" }),
  fakeWorkspace("packages/tools", "@mortise/tools", { "@mortise/http": "1", "@mortise/server": "1", mortise: "1" }),
  fakeWorkspace("packages/cli", "mortise", { "@mortise/tools": "1" }),
  fakeWorkspace("apps/demo", "demo", { "@mortise/server": "1", zod: "4" }),
];

const REFUSED = [
  ["core imports nothing", "core", "src/a.ts", 'import { x } from "@mortise/server";', "undeclared"],
  ["http never imports the client", "http", "src/a.ts", 'import { x } from "@mortise/client";', "undeclared"],
  ["server never imports http", "server", "src/a.ts", 'export { x } from "@mortise/http";', "arrow"],
  ["stdio takes only types from server", "stdio", "src/a.ts", 'import { type A, b } from "@mortise/server";', "arrow"],
  ["the client reaches stdio on its platform side alone", "client", "src/a.ts", 'import("@mortise/stdio");', "arrow"],
  ["the tools know no transport", "tools", "src/a.ts", 'import { x } from "@mortise/http";', "arrow"],
  ["no package imports the command", "tools", "src/a.ts", 'import { x } from "mortise";', "arrow"],
  ["inner packages import no zod", "server", "src/a.ts", 'import * as z from "zod";', "no-zod"],
  ["inner packages import no zod/mini", "server", "src/a.ts", 'import * as z from "zod/mini";', "no-zod"],
  ["web packages import no node: module", "http", "src/a.ts", 'import fs from "node:fs";', "web-only"],
  ["web packages import no bare built-in", "core", "src/a.ts", 'const x = await0(import("fs/promises"));', "web-only"],
  [
    "modern never imports legacy",
    "server",
    "src/modern/a.ts",
    'import { x } from "../legacy/index.js";',
    "room-to-room",
  ],
  ["legacy never imports modern", "server", "src/legacy/a.ts", 'type X = import("../modern/b.js").X;', "room-to-room"],
  ["a room is entered by its index", "server", "src/a.ts", 'import { x } from "./modern/open.js";', "room-inside"],
  [
    "only eras.ts enters both rooms",
    "server",
    "src/a.ts",
    'import { x } from "./modern/index.js";\nimport { y } from "./legacy/index.js";',
    "both-rooms",
  ],
  ["no import by path", "http", "src/a.ts", 'import { x } from "../../server/src/server.js";', "by-path"],
  ["no import by path in tests", "http", "test/a.test.ts", 'import { x } from "../../server/src/a.js";', "by-path"],
  ["no private entry", "http", "src/a.ts", 'import { x } from "@mortise/server/src/server.js";', "not-public"],
  ["no undeclared package", "http", "src/a.ts", 'import { x } from "left-pad";', "undeclared"],
  ["no development dependency in sources", "http", "src/a.ts", 'import { x } from "vitest";', "undeclared"],
  ["no vague file name", "http", "src/utils.ts", "", "vague-name"],
  ["no await at the top of a module", "http", "src/a.ts", "const a = await fetch('x');", "top-level-await"],
];

for (const [title, name, file, text, rule] of REFUSED) {
  test(`refused: ${title}`, () => {
    const rules = check(name, file, text).map((problem) => problem.rule);

    assert.ok(rules.includes(rule), `${rule} expected, found ${rules.join(", ") || "nothing"}`);
  });
}

const ALLOWED = [
  ["an import along the arrows", "http", "src/a.ts", 'import { x } from "@mortise/server/transport";'],
  ["the tools in the command", "cli", "src/a.ts", 'import { x } from "@mortise/tools";'],
  ["types of server in stdio", "stdio", "src/a.ts", 'import type { A } from "@mortise/server";'],
  ["inline types of server in stdio", "stdio", "src/a.ts", 'import { type A, type B } from "@mortise/server";'],
  ["Node in the client's platform", "client", "src/platform/node.ts", 'import http from "node:http";'],
  ["stdio in the client's platform", "client", "src/platform/node.ts", 'const s = () => import("@mortise/stdio");'],
  ["the client's own import map", "client", "src/a.ts", 'import { connect } from "#platform";'],
  [
    "both rooms in eras.ts",
    "server",
    "src/eras.ts",
    'import { x } from "./modern/index.js";\nimport { y } from "./legacy/index.js";',
  ],
  ["one room by its index", "server", "src/a.ts", 'import { x } from "./modern/index.js";'],
  ["files inside a room", "server", "src/modern/a.ts", 'import { x } from "./b.js";\nimport { y } from "../c.js";'],
  ["types of stdio anywhere in the client", "client", "src/a.ts", 'import type { A } from "@mortise/stdio";'],
  ["zod in tests", "server", "test/a.test.ts", 'import * as z from "zod";'],
  ["the inside of a room in tests", "server", "test/a.test.ts", 'import { x } from "../src/modern/open.js";'],
  ["await inside functions", "http", "src/a.ts", "export async function f() { await g(); }"],
  ["an app that uses packages", "demo", "src/a.ts", 'import { x } from "@mortise/server";\nawait x();'],
];

for (const [title, name, file, text] of ALLOWED) {
  test(`allowed: ${title}`, () => {
    assert.deepEqual(check(name, file, text), []);
  });
}

test("a problem names the line of the import", () => {
  const [problem] = check("server", "src/a.ts", '\n\nimport * as z from "zod";\n');

  assert.equal(problem.line, 3);
});

function check(name, file, text) {
  const workspace = workspaces.find((one) => one.folder.endsWith(`/${name}`));
  return findBoundaryProblems({ workspace, workspaces, file, text });
}

function fakeWorkspace(folder, name, dependencies, devDependencies = {}) {
  const isPublic = folder.startsWith("packages/");
  const exports = { ".": {}, "./transport": {} };
  return { folder, name, isPublic, manifest: { name, dependencies, devDependencies, exports } };
}
