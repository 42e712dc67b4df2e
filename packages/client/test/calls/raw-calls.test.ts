import { expect, test } from "vitest";
import { startFake } from "../fake-http.js";
import { serveModern } from "../modern-server.js";
import { openClient } from "../open-client.js";

const inputSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };

test("a tool that is called with a plain request gets its arguments mirrored as well", async () => {
  const server = await startFake(serveModern({}, [{ name: "echo", inputSchema }]));
  const client = openClient(server.url);
  await client.connect();

  await client.request("tools/call", { name: "echo", arguments: { region: "north" } });

  expect(server.log.at(-1)?.headers["mcp-param-region"]).toBe("north");
});

test("a plain request that a server wants other headers for is sent again with fresh definitions", async () => {
  const server = await startFake(
    serveModern(
      {
        "tools/call": (reply) =>
          reply.request.headers["mcp-param-region"] === undefined
            ? reply.error(-32020, "Header mismatch", { status: 400 })
            : reply.result({ resultType: "complete", content: [] }),
      },
      [{ name: "echo", inputSchema }],
    ),
  );
  const client = openClient(server.url);

  await client.request("tools/call", { name: "echo", arguments: { region: "north" } });

  expect(server.methods()).toEqual(["server/discover", "tools/call", "tools/list", "tools/call"]);
});
