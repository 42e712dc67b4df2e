import assert from "node:assert/strict";
import { test } from "node:test";
import { findServerJsonProblems, withVersion } from "../server-json.mjs";

const PUBLISHED = { name: "demo", version: "1.2.3", mcpName: "io.example/demo", bin: { demo: "./main.js" } };
const MANIFEST = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: "io.example/demo",
  description: "Shows something",
  version: "1.2.3",
  packages: [
    {
      registryType: "npm",
      identifier: "demo",
      version: "1.2.3",
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "serve" }],
      environmentVariables: [{ name: "DEMO_KEY", description: "A key", isSecret: true }],
    },
  ],
};
const [PACKAGE] = MANIFEST.packages;
const withPackage = (change) => ({ ...MANIFEST, packages: [{ ...PACKAGE, ...change }] });
const oldSchema = MANIFEST.$schema.replace("2025-12-11", "2025-07-09");

test("a manifest that says what its package says has no problems", () => {
  assert.deepEqual(findServerJsonProblems(MANIFEST, PUBLISHED), []);
});

const REFUSED = [
  ["no object", [], "Expected an object"],
  ["an older schema", { ...MANIFEST, $schema: oldSchema }, "$schema"],
  ["another name", { ...MANIFEST, name: "io.example/other" }, "name"],
  ["a name without a namespace", { ...MANIFEST, name: "demo" }, "name"],
  ["a description that is too long", { ...MANIFEST, description: "x".repeat(101) }, "description"],
  ["another version", { ...MANIFEST, version: "1.2.4" }, "version"],
  ["a range of versions", { ...MANIFEST, version: "^1.2.3" }, "version"],
  ["a misspelt member", { ...MANIFEST, websiteURL: "https://example.com" }, "websiteURL"],
  ["no package", { ...MANIFEST, packages: [] }, "packages.0.identifier"],
  ["two packages", { ...MANIFEST, packages: [PACKAGE, PACKAGE] }, "packages"],
  ["another package", withPackage({ identifier: "other" }), "packages.0.identifier"],
  ["another version of the package", withPackage({ version: "1.2.4" }), "packages.0.version"],
  ["a package without a transport", withPackage({ transport: undefined }), "packages.0.transport"],
  ["another registry", withPackage({ registryType: "pypi" }), "packages.0.registryType"],
  [
    "an argument without a value",
    withPackage({ packageArguments: [{ type: "positional" }] }),
    "packages.0.packageArguments.0.value",
  ],
  [
    "a variable that is there twice",
    withPackage({ environmentVariables: [...PACKAGE.environmentVariables, ...PACKAGE.environmentVariables] }),
    "packages.0.environmentVariables",
  ],
  [
    "a secret that is neither true nor false",
    withPackage({ environmentVariables: [{ name: "DEMO_KEY", description: "A key", isSecret: "yes" }] }),
    "packages.0.environmentVariables.0.isSecret",
  ],
];

for (const [title, manifest, path] of REFUSED) {
  test(`refused: ${title}`, () => {
    const paths = findServerJsonProblems(manifest, PUBLISHED).map((problem) => problem.split(": ")[0]);

    assert.ok(paths.includes(path), `${path} expected, found ${paths.join(", ") || "nothing"}`);
  });
}

test("refused: a package that starts no command", () => {
  const { bin: _bin, ...published } = PUBLISHED;

  assert.deepEqual(findServerJsonProblems(MANIFEST, published), ["package.json: Expected a bin"]);
});

test("a new version is set wherever one stands", () => {
  const moved = withVersion(MANIFEST, "2.0.0");

  assert.deepEqual(findServerJsonProblems(moved, { ...PUBLISHED, version: "2.0.0" }), []);
});
