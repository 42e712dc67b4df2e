import { type ElicitRequest, MCPClient } from "@mortise/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { RunningServer } from "../src/peer-server.js";
import { EVERYTHING_WAYS, startEverything } from "../src/reference-servers.js";

const DYNAMIC = "demo://resource/dynamic/text/7";

describe.each(EVERYTHING_WAYS)("every feature of server-everything over %s", (way) => {
  const asked: ElicitRequest[] = [];
  let running: RunningServer;
  let client: MCPClient;

  beforeAll(async () => {
    running = await startEverything(way);
    client = new MCPClient({
      ...running.target,
      timeout: 10_000,
      async onElicit(request) {
        asked.push(request);
        return request.mode === "url" ? { action: "accept" } : { action: "accept", content: { name: "Ada" } };
      },
      onSample: async () => ({ role: "assistant", model: "fixture", content: { type: "text", text: "a poem" } }),
      onRoots: async () => [{ uri: "file:///work", name: "Work" }],
    });
    await client.connect();
    // The server registers what depends on the client's abilities a moment after the handshake.
    await vi.waitFor(async () => {
      await client.fetchTools();
      expect(client.hasTool("get-roots-list")).toBe(true);
    }, 5_000);
  });
  beforeEach(() => {
    asked.length = 0;
  });
  afterAll(async () => {
    await client?.close();
    await running?.stop();
  });

  test("resources are listed and read, as text and as bytes", async () => {
    const resources = await client.listResources();
    const text = await client.readResource(DYNAMIC);
    const blob = await client.readResource("demo://resource/dynamic/blob/8");

    expect(resources.length).toBeGreaterThan(3);
    expect(text.contents[0]).toMatchObject({ uri: DYNAMIC, text: expect.stringContaining("7") });
    expect(blob.contents[0]).toMatchObject({ blob: expect.any(String) });
  });

  test("a resource that does not exist rejects with the server's error", async () => {
    await expect(client.readResource("demo://nowhere")).rejects.toMatchObject({ name: "JsonRpcError", code: -32602 });
  });

  test("templates are listed, and completed", async () => {
    const templates = await client.listResourceTemplates();

    const completion = await client.complete({
      template: "demo://resource/dynamic/text/{resourceId}",
      argument: "resourceId",
      value: "7",
    });

    expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain("demo://resource/dynamic/text/{resourceId}");
    expect(completion.values).toEqual(["7"]);
  });

  test("prompts are listed, filled in, and completed with what is known already", async () => {
    const prompts = await client.listPrompts();
    const prompt = await client.getPrompt("args-prompt", { city: "Paris" });
    const departments = await client.complete({ prompt: "completable-prompt", argument: "department", value: "E" });
    const names = await client.complete({
      prompt: "completable-prompt",
      argument: "name",
      value: "A",
      settled: { department: "Engineering" },
    });

    expect(prompts.map(({ name }) => name)).toContain("args-prompt");
    expect(JSON.stringify(prompt.messages)).toContain("Paris");
    expect(departments.values).toEqual(["Engineering"]);
    expect(names.values).toEqual(["Alice"]);
  });

  test("a form is filled in with its defaults", async () => {
    const result = await client.callTool("trigger-elicitation-request");

    expect(asked).toMatchObject([{ mode: "form" }]);
    expect(result.text).toContain("Ada");
  });

  test("a page is opened", async () => {
    const url = "https://example.com/confirm";

    const result = await client.callTool("trigger-url-elicitation", { url, message: "Please" });

    expect(asked).toMatchObject([{ mode: "url", url }]);
    expect(result.isError).toBe(false);
  });

  test("a model is asked", async () => {
    const result = await client.callTool("trigger-sampling-request", { prompt: "Write a poem", maxTokens: 10 });

    expect(result.text).toContain("a poem");
  });

  test("folders are told", async () => {
    const result = await client.callTool("get-roots-list");

    expect(result.text).toContain("file:///work");
  });

  test("log messages come from the level up that was asked for", async () => {
    await expect(client.setLogLevel("debug")).resolves.toBeUndefined();
  });

  test("structured content fits its schema", async () => {
    const { structuredContent } = await client.callTool("get-structured-content", { location: "Chicago" });

    expect(structuredContent).toMatchObject({ temperature: expect.any(Number) });
  });
});
