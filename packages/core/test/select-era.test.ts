import { describe, expect, test } from "vitest";
import { createRequest } from "../src/json-rpc.js";
import { VERSION_KEY } from "../src/modern/envelope.js";
import { REVISIONS, revisionOf } from "../src/revisions.js";
import { type EraHints, selectBatch, selectEra } from "../src/select-era.js";

const MODERN_PARAMS = { _meta: { [VERSION_KEY]: "2026-07-28" } };
const AGREED = { agreed: revisionOf("2025-06-18") };
const ASSUMED = { assumed: revisionOf("2025-03-26") };

function select(method: string, params: Record<string, unknown> | undefined, hints: EraHints): string {
  const selection = selectEra(createRequest(1, method, params), hints);
  if (selection.era === "legacy") return selection.revision.id;
  return selection.era === "refused" ? `refused ${selection.refusal.error.code}` : selection.era;
}

describe("selectEra", () => {
  for (const [name, method, params, hints, expected] of [
    ["a version in the body", "tools/list", MODERN_PARAMS, {}, "modern"],
    ["an unknown version in the body", "tools/list", { _meta: { [VERSION_KEY]: "2030-01-01" } }, {}, "modern"],
    ["a malformed version in the body", "tools/list", { _meta: { [VERSION_KEY]: 7 } }, {}, "modern"],
    ["a version in the body after a legacy agreement", "tools/list", MODERN_PARAMS, AGREED, "modern"],
    ["initialize with a version in the body", "initialize", MODERN_PARAMS, {}, "modern"],
    [
      "a version in the body under a legacy header",
      "tools/list",
      MODERN_PARAMS,
      { headerVersion: "2025-11-25" },
      "modern",
    ],
    ["a modern header alone", "tools/list", undefined, { headerVersion: "2026-07-28" }, "modern"],
    ["discovery under a modern header", "server/discover", {}, { headerVersion: "2026-07-28" }, "modern"],
    ["a modern header within a legacy session", "tools/list", {}, { headerVersion: "2026-07-28", ...AGREED }, "modern"],
    ["a legacy header", "tools/list", {}, { headerVersion: "2025-11-25" }, "2025-11-25"],
    [
      "a legacy header before the assumption",
      "tools/list",
      {},
      { headerVersion: "2025-06-18", ...ASSUMED },
      "2025-06-18",
    ],
    [
      "an agreement before another legacy header",
      "tools/list",
      {},
      { headerVersion: "2025-11-25", ...AGREED },
      "2025-06-18",
    ],
    ["an unknown header", "tools/list", {}, { headerVersion: "1999-01-01" }, "refused -32022"],
    ["an empty header", "tools/list", {}, { headerVersion: "" }, "refused -32022"],
    ["an agreement", "tools/call", {}, AGREED, "2025-06-18"],
    ["an agreement before an assumption", "tools/call", {}, { ...AGREED, ...ASSUMED }, "2025-06-18"],
    ["an assumption", "tools/call", {}, ASSUMED, "2025-03-26"],
    ["initialize without anything", "initialize", {}, {}, "2025-11-25"],
    ["ping without anything", "ping", undefined, {}, "2025-11-25"],
    ["a call without anything", "tools/list", {}, {}, "refused -32602"],
    ["discovery without anything", "server/discover", {}, {}, "refused -32602"],
    ["other metadata without anything", "tools/list", { _meta: { progressToken: 1 } }, {}, "refused -32602"],
    ["metadata that is not an object", "tools/list", { _meta: "2026-07-28" }, ASSUMED, "2025-03-26"],
  ] as const) {
    test(`selects ${expected} for ${name}`, () => {
      expect(select(method, params, hints)).toBe(expected);
    });
  }

  test("gives the same frozen verdict each time", () => {
    const request = createRequest(1, "tools/list", MODERN_PARAMS);

    expect(selectEra(request, {})).toBe(selectEra(request, {}));
    expect(Object.isFrozen(selectEra(request, {}))).toBe(true);
  });
});

describe("selectBatch", () => {
  const entry = createRequest(1, "tools/list");
  const batching = { agreed: revisionOf("2025-03-26") };

  for (const [name, entries, hints, expected] of [
    ["where batches were agreed", [entry], batching, "legacy"],
    ["where batches may be assumed", [entry], ASSUMED, "legacy"],
    ["under a header that has them", [entry], { headerVersion: "2025-03-26" }, "legacy"],
    ["under a header that lacks them", [entry], { headerVersion: "2025-06-18" }, "refused"],
    ["under a modern header", [entry], { headerVersion: "2026-07-28" }, "refused"],
    [
      "under a header that lacks them, where that is excused",
      [entry],
      { headerVersion: "2025-06-18", batches: true },
      "legacy",
    ],
    ["under a modern header, whatever is excused", [entry], { headerVersion: "2026-07-28", batches: true }, "refused"],
    ["under an unknown header", [entry], { headerVersion: "1999-01-01" }, "refused"],
    ["where nothing was agreed", [entry], {}, "refused"],
    ["without entries", [], batching, "refused"],
    ["with initialize inside", [entry, createRequest(2, "initialize")], batching, "refused"],
    ["with a modern request inside", [entry, createRequest(2, "tools/list", MODERN_PARAMS)], batching, "refused"],
    ["with entries that are no messages", [1, null], batching, "legacy"],
  ] as const) {
    test(`finds an array ${name} ${expected}`, () => {
      expect(selectBatch(entries, hints).era).toBe(expected);
    });
  }

  for (const revision of REVISIONS.values()) {
    test(`${revision.batch ? "takes" : "refuses"} arrays after ${revision.id} was agreed`, () => {
      expect(selectBatch([entry], { agreed: revision }).era).toBe(revision.batch ? "legacy" : "refused");
    });
  }
});
