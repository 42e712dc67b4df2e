import { readFileSync } from "node:fs";
import { MortiseError } from "@mortise/core";
import { expect, test } from "vitest";
import { GATE } from "../src/gate.js";
import { createPolicy } from "../src/policy.js";

const PAGE = readFileSync(new URL("../../../docs/servers/policy.md", import.meta.url), "utf8");

/** One section of the page. */
function section(title: string): string {
  return PAGE.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
}

/** The options of a kind, as the error for one that does not exist names them. */
function listOptions(inside?: "cors" | "legacy" | "lenient"): string[] {
  const unknown = { neverAnOption: true };
  try {
    createPolicy((inside === undefined ? unknown : { [inside]: unknown }) as object);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    const names = error.message.split("known are ")[1]?.split(", ") ?? [];
    return names.map((name) => (inside === undefined ? name : `${inside}.${name}`));
  }
  return [];
}

test("the page lists the steps of the gate in their order", () => {
  const steps = [...section("The gate").matchAll(/^\d+\. \*\*([^*]+)\*\*/gm)].map(([, name]) => name);

  expect(steps).toEqual(GATE.map(({ name }) => name));
});

test("the page lists every option of a handler once, and no other", () => {
  const listed = [...section("Options of an HTTP handler").matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);
  const known = [...listOptions(), ...listOptions("cors"), ...listOptions("legacy"), ...listOptions("lenient")];

  expect(listed.toSorted()).toEqual(known.toSorted());
});
