import * as node from "@mortise/client/oauth/node";
import { expect, test } from "vitest";

test("exports for Node what is meant to be used, and nothing else", () => {
  expect(Object.keys(node).sort()).toEqual(["fileStore", "hostedFetch", "loopbackRedirect", "openBrowser"]);
});
