import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { expect, test, vi } from "vitest";
import { modern } from "./fixture.js";
import { formatRequest, openSocket } from "./raw-client.js";

/** Long, so that buffers on the way are full soon. */
const URI = `test://${"x".repeat(4000)}`;
const CHANGES = 3000;
const LISTEN = modern("subscriptions/listen", {
  notifications: { resourceSubscriptions: [URI], toolsListChanged: true },
});

function createWatched(): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", tools: [], resources: [] });
  return server;
}

/** Changes things again and again, each time in a turn of its own. */
async function changeOften(server: MCPServer): Promise<void> {
  for (let index = 0; index < CHANGES; index += 1) {
    server.notify.resourceUpdated(URI);
    server.notify.toolsChanged();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a socket that is not read holds up no memory, and no other listener", async () => {
  const server = createWatched();
  const handler = createNodeHttpHandler(server);
  const responses: ServerResponse[] = [];
  const listener = createServer((request, response) => {
    responses.push(response);
    handler(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const request = formatRequest(
    "POST /mcp HTTP/1.1",
    Object.entries({ host: `127.0.0.1:${port}`, ...LISTEN.headers }),
    LISTEN.body,
  );
  const [slow, quick] = [await openSocket(port), await openSocket(port)];
  let received = 0;
  quick.on("data", (chunk: Buffer) => {
    received += chunk.toString().match(/resources\/updated/g)?.length ?? 0;
  });
  slow.write(request);
  quick.write(request);
  await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(2));

  await changeOften(server);

  await vi.waitFor(() => expect(received).toBe(CHANGES));
  expect(Math.max(...responses.map(({ writableLength }) => writableLength))).toBeLessThan(100_000);
  expect(responses.some(({ writableNeedDrain }) => writableNeedDrain)).toBe(true);
  await server.close();
  slow.destroy();
  quick.destroy();
  await new Promise((resolve) => listener.close(resolve));
});

test("a body that is not read is filled no further, and what is due comes once when it is read again", async () => {
  const server = createWatched();
  const { headers, body } = LISTEN;
  const response = await createHttpHandler(server)(
    new Request("http://127.0.0.1:3000/mcp", { method: "POST", headers, body }),
  );
  await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(1));

  await changeOften(server);
  const closing = server.close();
  const text = await response.text();
  await closing;

  expect(text.length).toBeLessThan(200_000);
  expect(text).toContain("tools/list_changed");
  expect(text).toContain('"resultType":"complete"');
});
