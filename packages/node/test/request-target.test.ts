import { expect, test } from "vitest";
import { createTargetReader, readTarget } from "../src/request-target.js";

test.each([
  { target: "/mcp", path: "/mcp", query: "", authority: undefined },
  { target: "/mcp?a=/b", path: "/mcp", query: "?a=/b", authority: undefined },
  { target: "//evil.example/mcp", path: "//evil.example/mcp", query: "", authority: undefined },
  { target: "http://evil.example/mcp?x", path: "/mcp", query: "?x", authority: "evil.example" },
  { target: "HTTPS://a:1", path: "/", query: "", authority: "a:1" },
  { target: "http://user@localhost/mcp", path: "/mcp", query: "", authority: "user@localhost" },
  { target: "http:///mcp", path: "/mcp", query: "", authority: "" },
  { target: "*", path: "", query: "", authority: undefined },
  { target: "", path: "", query: "", authority: undefined },
])("reads the target $target", ({ target, path, query, authority }) => {
  expect(readTarget(target)).toEqual({ path, query, authority });
});

test("remembers one target at a time", () => {
  const read = createTargetReader();

  expect(["/a", "/a", "/b?x", "/a"].map((target) => read(target).path)).toEqual(["/a", "/a", "/b", "/a"]);
});
