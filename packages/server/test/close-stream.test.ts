import { REVISIONS, type Revision } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { openLegacy, run } from "@mortise/server/transport";
import { expect, test } from "vitest";

function call(options: { readonly retry?: number } | undefined, closeStream?: (retry: number) => void): unknown {
  const server = new MCPServer({ name: "s", version: "1" });
  const thrown: unknown[] = [];
  server.tool("close", {}, (_, { closeStream: close }) => {
    try {
      close(options);
    } catch (error) {
      thrown.push(error);
    }
    return "";
  });
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "close" } } as const;
  const carrier = { transport: "test", ...(closeStream === undefined ? {} : { closeStream }) };
  const opened = openLegacy(server, request, carrier, REVISIONS.get("2025-11-25") as Revision); // a known date
  if (!("text" in opened)) void run(opened);
  return thrown[0];
}

test("a handler can have the connection of its answer closed, and say when to come back", () => {
  const retries: number[] = [];

  call(undefined, (retry) => void retries.push(retry));
  call({ retry: 0 }, (retry) => void retries.push(retry));

  expect(retries).toEqual([1000, 0]);
});

test("closing the connection does nothing where no answer can be fetched later", () => {
  expect(call(undefined)).toBeUndefined();
});

test.each([-1, 1.5, Number.NaN])("a wait of %d milliseconds is refused", (retry) => {
  expect(call({ retry })).toBeInstanceOf(TypeError);
});
