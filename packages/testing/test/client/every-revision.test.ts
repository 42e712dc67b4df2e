import type { CommonOptions, MCPClient, QuestionHandlers } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { createEverything, REVISIONS, type RevisionId, WAYS } from "./fixture.js";

const HANDLERS: QuestionHandlers = {
  onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
  onSample: () => ({ content: { type: "text", text: "Hello" }, model: "m" }),
  onRoots: () => [{ uri: "file:///home" }],
};
const HAVE_FORMS: readonly RevisionId[] = ["2025-06-18", "2025-11-25", "2026-07-28"];

describe.each(WAYS)("a client and a server $name", (way) => {
  describe.each(REVISIONS)("of %s", (pin) => {
    const open = (options: CommonOptions = {}): Promise<MCPClient> =>
      way.open(createEverything(), { era: { pin }, ...HANDLERS, ...options });

    test("lists and reads resources", async () => {
      const client = await open();

      const uris = (await client.listResources()).map(({ uri }) => uri);
      const templates = (await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate);

      expect(uris).toEqual(["docs://a", "docs://b", "docs://c"]);
      expect(templates).toEqual(["items://{id}"]);
      expect((await client.readResource("docs://b")).text).toBe("text of b");
      expect((await client.readResource("items://7")).text).toBe("item 7");
      await expect(client.readResource("nowhere://x")).rejects.toMatchObject({ name: "JsonRpcError" });
    });

    test("lists and fills in prompts, and completes their arguments", async () => {
      const client = await open();

      const prompts = await client.listPrompts();
      const { messages } = await client.getPrompt("b", { tone: "warm" });
      const { values } = await client.complete({ prompt: "b", argument: "tone", value: "" });

      expect(prompts.map(({ name }) => name)).toEqual(["a", "b", "c"]);
      expect(messages).toMatchObject([{ role: "user", content: { type: "text", text: "Be warm" } }]);
      expect(values).toEqual(["warm", "formal"]);
    });

    test("sends the log messages that were asked for", async () => {
      const logged: unknown[] = [];
      const client = await open({
        onNotification: ({ method, params }) => void logged.push([method, params?.level, params?.data]),
      });

      await client.setLogLevel("warning");
      await client.callTool("log");

      expect(logged).toEqual([["notifications/message", "error", "loud"]]);
    });

    test("answers questions about folders and to the model", async () => {
      const client = await open();

      expect((await client.callTool("roots")).text).toBe('[{"uri":"file:///home"}]');
      expect((await client.callTool("sample")).text).toContain("Hello");
      expect((await client.callTool("all")).text).toBe("2");
    });

    test("fails a question that nobody answers", async () => {
      const client = await open({ onRoots: undefined });

      const outcome = await client.callTool("roots").then(
        ({ isError }) => isError,
        ({ code }: { code: unknown }) => code,
      );

      expect([true, -32021]).toContain(outcome);
    });

    test("checks the output of tools", async () => {
      const client = await open();

      expect((await client.callTool("sum")).isError).toBe(false);
    });
  });

  test.each(HAVE_FORMS)("of %s fill in forms, with their defaults", async (pin) => {
    const client = await way.open(createEverything(), { era: { pin }, ...HANDLERS });

    const { text } = await client.callTool("form");

    const content = JSON.parse(text).content;
    // Before 2025-11-25 only booleans have defaults.
    expect(content).toEqual(pin === "2025-06-18" ? { name: "Ada" } : { name: "Ada", city: "Rome" });
  });
});
