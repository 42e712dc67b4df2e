import { createModernCall } from "@mortise/example-tools/requests";
import { expect, test } from "vitest";
import { DELETE, GET, POST } from "./route.js";

const URL = "http://127.0.0.1:3000/api/mcp";
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

test("one handler, exported as POST, answers a modern call", async () => {
  const response = await POST(createModernCall(URL));

  expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: { message: "Hello, Ada!" } } });
});

test("one handler, exported as POST, answers a legacy handshake", async () => {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });

  const response = await POST(new Request(URL, { method: "POST", headers: HEADERS, body }));

  expect(await response.json()).toMatchObject({ id: 1, result: { protocolVersion: "2025-11-25" } });
});

test.each([
  ["GET", GET],
  ["DELETE", DELETE],
])("the same handler, exported as %s, says that only POST is served", async (method, handle) => {
  const response = await handle(new Request(URL, { method, headers: HEADERS }));

  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toContain("POST");
});
