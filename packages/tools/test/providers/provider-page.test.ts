import { readdirSync, readFileSync } from "node:fs";
import { TOOL_NAMES } from "@mortise/tools";
import { expect, test } from "vitest";
import { PROVIDERS } from "../../src/providers/provider-table.js";

const FOLDER = new URL("../../../../docs/tools/", import.meta.url);
const PAGE = readFileSync(new URL("README.md", FOLDER), "utf8");

/** The rows of the table below a heading, cell by cell, without the marks of code. */
function readTable(heading: string): string[][] {
  const [, section = ""] = PAGE.split(`${heading}\n`);
  const [table = ""] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

test("the page of the tools lists the providers as they are", () => {
  const expected = PROVIDERS.map(({ id, keyVariable, modelVariable, model, baseUrlVariable, baseUrl }) => [
    id,
    keyVariable ?? "none",
    modelVariable ?? "–",
    modelVariable === undefined ? "–" : (model ?? "has to be set"),
    `${baseUrlVariable} ${baseUrl}`,
  ]);

  expect(readTable("## The providers")).toEqual(expected);
});

test("the page of the tools lists the providers of images as they are", () => {
  const expected = PROVIDERS.flatMap(({ id, image }) =>
    image === undefined ? [] : [[id, image.variable, image.model]],
  );

  expect(readTable("### Images")).toEqual(expected);
});

test("the page of the tools lists every tool with its page", () => {
  const pages = readdirSync(FOLDER);
  const listed = readTable("## The tools").map(([cell = ""]) => cell);

  expect(listed).toEqual(TOOL_NAMES.map((name) => `[${name}](${name.replaceAll("_", "-")}.md)`));
  for (const name of TOOL_NAMES) expect(pages).toContain(`${name.replaceAll("_", "-")}.md`);
});
