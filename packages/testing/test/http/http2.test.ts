import { type ClientHttp2Session, connect, constants, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { createNodeHttpHandler } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFixture, modern } from "./fixture.js";

let listener: Http2Server;
let session: ClientHttp2Session;
let aborted: Promise<boolean>;
let server: MCPServer;

beforeEach(async () => {
  ({ server } = createFixture());
  aborted = new Promise((resolve) => {
    server.tool("hold", {}, (_, { signal }) => {
      return new Promise((end) => {
        signal.addEventListener("abort", () => {
          resolve(true);
          end("aborted");
        });
      });
    });
  });
  const handler = createNodeHttpHandler(server);
  listener = createServer((request, response) => {
    // Node's HTTP/2 objects have the members of those of HTTP/1 that handlers use.
    handler(...([request, response] as unknown as Parameters<typeof handler>));
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  session = connect(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
});

afterEach(async () => {
  session.destroy();
  await new Promise((resolve) => listener.close(resolve));
});

interface Call {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly authority?: string;
  readonly leaveAfter?: number;
}

function send({ headers, body, authority, leaveAfter }: Call): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve) => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/mcp",
      ...(authority === undefined ? {} : { ":authority": authority }),
      ...headers,
    });
    let status: number | undefined;
    let text = "";
    stream.setEncoding("utf8");
    stream.on("response", (answered) => {
      status = answered[":status"];
    });
    stream.on("data", (chunk: string) => {
      text += chunk;
    });
    stream.on("error", () => undefined);
    stream.on("close", () => resolve({ status, text }));
    stream.end(body);
    if (leaveAfter !== undefined) setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), leaveAfter);
  });
}

describe("the Node handler over HTTP/2", () => {
  test("answers with JSON and with events", async () => {
    const json = await send(modern("tools/call", { name: "echo", arguments: { text: "hi" } }));
    const events = await send(
      modern("tools/call", { name: "count", arguments: { steps: 2 } }, { meta: { progressToken: 1 } }),
    );

    expect([json.status, events.status]).toEqual([200, 200]);
    expect(JSON.parse(json.text).result.content[0].text).toBe("hi");
    expect(events.text.match(/^data: /gm)).toHaveLength(3);
  });

  test("checks the authority like a Host header", async () => {
    const answer = await send({ ...modern("tools/list"), authority: "evil.example" });

    expect(answer.status).toBe(403);
  });

  test("refuses a body that is too large, and goes on", async () => {
    const large = await send({ ...modern("tools/list"), body: "x".repeat(2_000_000) });
    const next = await send(modern("tools/list"));

    expect([large.status, next.status]).toEqual([413, 200]);
  });

  test("aborts the call of a caller that closes its stream", async () => {
    await send({ ...modern("tools/call", { name: "hold", arguments: {} }), leaveAfter: 300 });

    expect(await aborted).toBe(true);
  });

  test("keeps many streams of changes apart on one connection", async () => {
    const notifications = { toolsListChanged: true };
    const open = Array.from({ length: 30 }, (_, id) => send(modern("subscriptions/listen", { notifications }, { id })));
    await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(30));

    server.notify.toolsChanged();
    await server.close();
    const answers = await Promise.all(open);

    for (const [id, { text }] of answers.entries()) {
      expect(text.match(/"io.modelcontextprotocol\/subscriptionId":\d+/g)).toEqual(
        Array(3).fill(`"io.modelcontextprotocol/subscriptionId":${id}`),
      );
    }
  });
});
