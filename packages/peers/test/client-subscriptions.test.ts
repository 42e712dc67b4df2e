import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { MCPClient } from "@mortise/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EVERYTHING_WAYS, startEverything } from "../src/reference-servers.js";

describe.each(EVERYTHING_WAYS)("a subscription to server-everything over %s", (way) => {
  test("hears of the resource that it watches, until it ends", async () => {
    const { target, stop } = await startEverything(way);
    onTestFinished(stop);
    const client = new MCPClient({ ...target });
    onTestFinished(() => client.close());
    const uri = "demo://resource/dynamic/text/1";
    const onChange = vi.fn();

    const changes = await client.subscribe({ toolsListChanged: true, resourceSubscriptions: [uri] }, { onChange });
    await client.callTool("toggle-subscriber-updates");
    await vi.waitFor(
      () =>
        expect(onChange).toHaveBeenCalledWith(
          expect.objectContaining({ method: "notifications/resources/updated", params: { uri } }),
        ),
      { timeout: 8_000 },
    );
    await changes.close();

    expect(changes.honored.resourceSubscriptions).toEqual([uri]);
    expect(await changes.closed).toEqual({ reason: "closed" });
  }, 20_000);
});

test("a subscription to the official server, modern, hears of changes, and of the end", async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "peer", version: "1.0.0" });
    server.registerTool("echo", {}, () => ({ content: [] }));
    return server;
  });
  const listen = toNodeHandler(handler);
  const listener = createServer((req, res) => {
    void listen(req as Parameters<typeof listen>[0], res); // its own type forbids the undefined that Node's type allows
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void listener.close());
  const client = new MCPClient(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`);
  onTestFinished(() => client.close());
  const changes = await client.subscribe({ toolsListChanged: true });

  handler.notify.toolsChanged();
  const { value } = await changes[Symbol.asyncIterator]().next();
  await handler.close();

  expect(value).toMatchObject({ method: "notifications/tools/list_changed" });
  expect(await changes.closed).toEqual({ reason: "server_ended" });
});
