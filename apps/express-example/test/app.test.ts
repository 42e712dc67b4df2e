import { MCPClient } from "@mortise/client";
import { createLegacyCall, createModernCall } from "@mortise/example-tools/requests";
import { describe, expect, onTestFinished, test } from "vitest";
import { startApp } from "./start-app.js";

const GREETING = { message: "Hello, Ada!" };

describe.each(["/mcp", "/parsed/mcp"])("the endpoint %s", (path) => {
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

test("leaves other routes and their bodies alone", async () => {
  const body = JSON.stringify({ text: "Buy milk" });

  const response = await fetch(`${await startApp()}/notes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });

  expect(await response.json()).toEqual({ saved: { text: "Buy milk" } });
});

test("leaves what nobody serves to Express", async () => {
  const response = await fetch(`${await startApp()}/nowhere`);

  expect(response.status).toBe(404);
  expect(response.headers.get("x-powered-by")).toBe("Express");
});
