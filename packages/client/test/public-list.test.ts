import * as client from "@mortise/client";
import { expect, test } from "vitest";

test("exports what is meant to be used, and nothing else", () => {
  expect(Object.keys(client).sort()).toEqual([
    "JsonRpcError",
    "MCPClient",
    "MCPTimeoutError",
    "MortiseError",
    "connectInMemory",
    "isResourceNotFound",
  ]);
});
