import { expect, test } from "vitest";
import {
  ASSUMED_PROTOCOL_VERSION,
  LEGACY_PROTOCOL_VERSION,
  MODERN_PROTOCOL_VERSION,
  REVISIONS,
  revisionOf,
} from "../src/revisions.js";

function idsWhere(holds: (id: string) => boolean): string[] {
  return [...REVISIONS.keys()].filter(holds);
}

test("lists every revision, newest first", () => {
  expect([...REVISIONS.keys()]).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
});

test("has one modern revision", () => {
  expect(idsWhere((id) => revisionOf(id).era === "modern")).toEqual([MODERN_PROTOCOL_VERSION]);
});

test("names revisions that exist", () => {
  for (const id of [MODERN_PROTOCOL_VERSION, LEGACY_PROTOCOL_VERSION, ASSUMED_PROTOCOL_VERSION]) {
    expect(REVISIONS.get(id)?.id).toBe(id);
  }
});

test("allows batches in 2025-03-26 alone", () => {
  expect(idsWhere((id) => revisionOf(id).batch)).toEqual(["2025-03-26"]);
});

test("knows audio since 2025-03-26 and resource links since 2025-06-18", () => {
  expect(idsWhere((id) => !revisionOf(id).content.has("audio"))).toEqual(["2024-11-05"]);
  expect(idsWhere((id) => !revisionOf(id).content.has("resource_link"))).toEqual(["2025-03-26", "2024-11-05"]);
});

test("tells a missing resource by the number of its revision", () => {
  expect(idsWhere((id) => revisionOf(id).notFound === -32602)).toEqual(["2026-07-28"]);
});

test("elicits forms since 2025-06-18 and addresses since 2025-11-25", () => {
  expect(idsWhere((id) => revisionOf(id).asks.has("elicit.form"))).toEqual(["2026-07-28", "2025-11-25", "2025-06-18"]);
  expect(idsWhere((id) => revisionOf(id).asks.has("elicit.url"))).toEqual(["2026-07-28", "2025-11-25"]);
});

test("names visits to pages in 2025-11-25 alone", () => {
  expect(idsWhere((id) => revisionOf(id).elicitationId)).toEqual(["2025-11-25"]);
});

test("puts rich questions since 2025-11-25", () => {
  const rich = ["2026-07-28", "2025-11-25"];

  expect(idsWhere((id) => revisionOf(id).elicitMode)).toEqual(rich);
  expect(idsWhere((id) => revisionOf(id).richForms)).toEqual(rich);
  expect(idsWhere((id) => revisionOf(id).richSamples)).toEqual(rich);
});

test("sends structured content since 2025-06-18", () => {
  expect(idsWhere((id) => !revisionOf(id).structuredContent)).toEqual(["2025-03-26", "2024-11-05"]);
});

test("throws for a date that is not known", () => {
  expect(() => revisionOf("1999-01-01")).toThrow(TypeError);
});
