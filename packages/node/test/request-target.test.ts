import { expect, test } from "vitest";
import { createTargetReader, readTarget } from "../src/request-target.js";

test.each([
  { target: "/mcp", path: "/mcp", authority: undefined },
  { target: "/mcp?a=/b", path: "/mcp", authority: undefined },
  { target: "//evil.example/mcp", path: "//evil.example/mcp", authority: undefined },
  { target: "http://evil.example/mcp?x", path: "/mcp", authority: "evil.example" },
  { target: "HTTPS://a:1", path: "/", authority: "a:1" },
  { target: "http://user@localhost/mcp", path: "/mcp", authority: "user@localhost" },
  { target: "http:///mcp", path: "/mcp", authority: "" },
  { target: "*", path: "", authority: undefined },
  { target: "", path: "", authority: undefined },
])("reads the target $target", ({ target, path, authority }) => {
  expect(readTarget(target)).toEqual({ path, authority });
});

test("remembers one target at a time", () => {
  const read = createTargetReader();

  expect(["/a", "/a", "/b?x", "/a"].map((target) => read(target).path)).toEqual(["/a", "/a", "/b", "/a"]);
});
