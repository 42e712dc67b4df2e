import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { MCPClient } from "@mortise/client";
import { createLegacyCall, createModernCall } from "@mortise/example-tools/requests";
import { describe, expect, onTestFinished, test } from "vitest";
import { createApp } from "../src/app.js";

const GREETING = { message: "Hello, Ada!" };

describe.each(["/mcp", "/teams/blue/mcp"])("the endpoint %s", (path) => {
  test("answers a modern call", async () => {
    const response = await fetch(createModernCall((await startApp()) + path));

    expect(await response.json()).toMatchObject({
      id: 1,
      result: { resultType: "complete", structuredContent: GREETING },
    });
  });

  test("answers a legacy call", async () => {
    const response = await fetch(createLegacyCall((await startApp()) + path));

    expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: GREETING } });
  });

  test.each(["modern", "legacy"] as const)("serves the client in its %s protocol", async (era) => {
    const client = new MCPClient({ url: (await startApp()) + path, era });
    onTestFinished(() => client.close());

    const { structuredContent } = await client.callTool("greet", { name: "Ada" });

    expect(structuredContent).toEqual(GREETING);
  });

  test("reports progress while a call is being worked on", async () => {
    const client = new MCPClient({ url: (await startApp()) + path });
    onTestFinished(() => client.close());
    const reported: number[] = [];

    await client.callTool("count", { to: 3, stepMs: 5 }, { onProgress: ({ progress }) => reported.push(progress) });

    expect(reported).toEqual([1, 2, 3]);
  });

  test("answers what it refuses itself, so that the protocol's errors reach the caller", async () => {
    const response = await fetch((await startApp()) + path);

    expect(response.status).toBe(405);
  });
});

test("leaves other routes alone", async () => {
  const response = await fetch(await startApp());

  expect(await response.json()).toEqual({ endpoints: ["/mcp", "/teams/:team/mcp"] });
});

/** Serves the application on a free port until the test is over. Gives its address. */
async function startApp(): Promise<string> {
  const listener = serve({ fetch: createApp().fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => listener.once("listening", resolve));
  onTestFinished(() => {
    listener.close();
  });
  const { port } = listener.address() as AddressInfo; // a listener on a port has an address of this form
  return `http://127.0.0.1:${port}`;
}
