import type { JsonObject } from "@mortise/core";
import { expect, test } from "vitest";
import { findDocumentProblems } from "../../src/openapi/check-document.js";
import { DOCUMENT, withPaths } from "./example-document.js";

const OK = { "200": { description: "Right" } };

function nest(levels: number): JsonObject {
  return levels === 0 ? {} : { items: nest(levels - 1) };
}

test("finds nothing wrong with a right document", async () => {
  expect(await findDocumentProblems(DOCUMENT)).toBeUndefined();
});

test("leaves the document as it is", async () => {
  const before = JSON.stringify(DOCUMENT);

  await findDocumentProblems(DOCUMENT);

  expect(JSON.stringify(DOCUMENT)).toBe(before);
});

test.each<[string, JsonObject, RegExp]>([
  ["another version", { ...DOCUMENT, openapi: "3.0.3" }, /3\.1/],
  ["a missing title", { ...DOCUMENT, info: { version: "1" } }, /\/info.*title/],
  ["an unknown member", { ...DOCUMENT, servers: [{ url: "/", colour: "red" }] }, /colour/],
  ["a reference to another document", withPaths({ "/a": { $ref: "https://example.com/a.json" } }), /example\.com/],
  ["a reference that leads nowhere", withPaths({ "/a": { $ref: "#/components/pathItems/a" } }), /nowhere/],
  ["a path parameter that is not declared", withPaths({ "/a/{b}": { get: { responses: OK } } }), /"b"/],
  [
    "a path parameter that the path does not have",
    withPaths({ "/a": { get: { parameters: [{ $ref: "#/components/parameters/id" }], responses: OK } } }),
    /"id"/,
  ],
  [
    "an operation id that is there twice",
    withPaths({ "/a": { get: { operationId: "x", responses: OK }, put: { operationId: "x", responses: OK } } }),
    /"x"/,
  ],
  [
    "a security scheme that does not exist",
    withPaths({ "/a": { get: { security: [{ token: [] }], responses: OK } } }),
    /"token"/,
  ],
  ["no operation at all", withPaths({}), /operation/],
  ["nesting without end", { ...DOCUMENT, components: { schemas: { A: nest(200) } } }, /levels deep/],
])("names %s", async (_what, document, problem) => {
  expect(await findDocumentProblems(document)).toMatch(problem);
});
