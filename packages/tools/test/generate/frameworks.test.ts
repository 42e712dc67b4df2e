import { describe, expect, test } from "vitest";
import { findTestFramework } from "../../src/generate/test-framework.js";
import { findUiFramework } from "../../src/generate/ui-framework.js";

test.each([
  ["React", "React"],
  ["react.js", "React"],
  ["Next.js 16", "Next.js"],
  ["vue3", "Vue 3"],
  ["Vue.js", "Vue 3"],
  ["Web Components", "Web Components"],
  ["HTML5", "plain HTML"],
  ["vanilla JS", "plain HTML"],
  ["SvelteKit", "Svelte 5"],
  ["solid-js", "SolidJS"],
  ["Frobnicate", '"Frobnicate"'],
  ["__proto__", '"__proto__"'],
])("knows the framework that people call %s", (name, label) => {
  expect(findUiFramework(name).label).toBe(label);
});

describe("tests", () => {
  test.each([
    ["vitest", 'test("adds", () => {});'],
    ["Jest", "it.each([1])('adds %i', () => {});"],
    ["node:test", 'test("adds", async (t) => {});'],
    ["mocha", 'describe("a", function () { it("b", function () {}); });'],
    ["Deno", 'Deno.test("adds", () => {});'],
    ["pytest", "def test_adds():\n    assert add(1, 2) == 3"],
    ["unittest", "class T(TestCase):\n    def test_adds(self):\n        pass"],
    ["JUnit 5", "@Test\nvoid adds() {}"],
    ["xUnit.net", "[Fact]\npublic void Adds() {}"],
    ["NUnit", "[Test]\npublic void Adds() {}"],
    ["RSpec", 'it "adds" do\nend'],
    ["PHPUnit", "public function testAdds(): void {}"],
    ["go", "func TestAdd(t *testing.T) {}"],
    ["Rust", "#[test]\nfn adds() {}"],
  ])("of %s are known when they are seen", (name, code) => {
    expect(findTestFramework(name).mark.test(code)).toBe(true);
    expect(findTestFramework(name).mark.test("const add = (a, b) => a + b;")).toBe(false);
    expect(findTestFramework(undefined).mark.test(code)).toBe(true);
  });

  test("of a framework that is not known are taken as they are", () => {
    expect(findTestFramework("Frobnicate")).toMatchObject({ label: '"Frobnicate"' });
    expect(findTestFramework("Frobnicate").mark.test("check that 1 is 1")).toBe(true);
  });

  test("of no framework are none", () => {
    expect(findTestFramework(undefined).mark.test("const add = (a, b) => a + b;")).toBe(false);
  });
});
