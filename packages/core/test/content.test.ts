import { describe, expect, test } from "vitest";
import { type ContentBlock, projectContent } from "../src/content.js";
import { revisionOf } from "../src/revisions.js";

const AUDIO: ContentBlock = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };
const LINK: ContentBlock = { type: "resource_link", uri: "file:///a.txt", name: "a.txt", mimeType: "text/plain" };
const OLD: readonly ContentBlock[] = [
  { type: "text", text: "hi" },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  { type: "resource", resource: { uri: "test://x", text: "x" } },
];

function project(blocks: readonly unknown[], revision: string): readonly unknown[] {
  return projectContent(blocks, revisionOf(revision).content);
}

describe("projectContent", () => {
  for (const revision of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
    test(`gives the same array back where ${revision} knows every kind`, () => {
      const blocks = [...OLD, AUDIO, LINK];

      expect(project(blocks, revision)).toBe(blocks);
    });
  }

  for (const revision of ["2024-11-05", "2025-03-26"]) {
    test(`gives the same array back where ${revision} knows the kinds that are used`, () => {
      expect(project(OLD, revision)).toBe(OLD);
    });
  }

  test("embeds audio for 2024-11-05 with its bytes and type", () => {
    expect(project([...OLD, AUDIO], "2024-11-05")).toEqual([
      ...OLD,
      {
        type: "resource",
        resource: { uri: expect.stringMatching(/^[a-z]+:./), mimeType: "audio/wav", blob: "UklGRg==" },
      },
    ]);
  });

  test("keeps audio for 2025-03-26", () => {
    expect(project([AUDIO, LINK], "2025-03-26")[0]).toBe(AUDIO);
  });

  for (const revision of ["2024-11-05", "2025-03-26"]) {
    test(`turns a resource link into a text with its URI for ${revision}`, () => {
      expect(project([LINK], revision)).toEqual([{ type: "text", text: expect.stringContaining("file:///a.txt") }]);
    });
  }

  test("shows the title of a link before its name", () => {
    expect(project([{ ...LINK, title: "A file" }], "2024-11-05")).toEqual([
      { type: "text", text: "A file: file:///a.txt" },
    ]);
  });

  test("says the URI once where it is also the name", () => {
    expect(project([{ ...LINK, name: "file:///a.txt" }], "2024-11-05")).toEqual([
      { type: "text", text: "file:///a.txt" },
    ]);
  });

  test("keeps annotations of replaced blocks, without the members that came later", () => {
    const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" };

    expect(
      project(
        [
          { ...AUDIO, annotations, _meta: { a: 1 } },
          { ...LINK, annotations: { lastModified: "x" } },
        ],
        "2024-11-05",
      ),
    ).toEqual([
      expect.objectContaining({ type: "resource", annotations: { audience: ["user"], priority: 0.5 } }),
      { type: "text", text: "a.txt: file:///a.txt" },
    ]);
  });

  test("leaves unknown kinds and values that are not blocks alone", () => {
    const blocks = [{ type: "hologram", data: "x" }, null, 7, "text", [], {}, { type: "constructor" }];

    expect(project(blocks, "2024-11-05")).toBe(blocks);
  });

  test("does not change the blocks it was given", () => {
    const blocks = Object.freeze([Object.freeze({ ...AUDIO }), Object.freeze({ ...LINK })]);

    project(blocks, "2024-11-05");

    expect(blocks).toEqual([AUDIO, LINK]);
  });
});
