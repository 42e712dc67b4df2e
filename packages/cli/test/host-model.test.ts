import { connectInMemory, MCPClient, type SampleAnswer, type SampleRequest } from "@mortise/client";
import { MCPServer } from "@mortise/server";
import { addProviderTools } from "@mortise/tools";
import { afterEach, describe, expect, test } from "vitest";

const REVIEW = { summary: "Fine", score: 90, issues: [] };

const clients: MCPClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

interface Setting {
  readonly era: "modern" | "legacy";
  /** What the client's model says, one answer after the other. */
  readonly answers: readonly (string | Partial<SampleAnswer> | Error)[];
  readonly env?: Record<string, string>;
  readonly hostModel?: boolean;
}

/** A client with a model, at a server with the provider tools. */
function openClient({ era, answers, env = {}, hostModel = true }: Setting): {
  client: MCPClient;
  asked: SampleRequest[];
} {
  const server = new MCPServer({
    name: "test",
    version: "1.0.0",
    state: { keys: [{ id: "test", key: new Uint8Array(32) }] },
  });
  addProviderTools(server, { env, hostModel });
  const asked: SampleRequest[] = [];
  const client = new MCPClient({
    transport: connectInMemory(server),
    era,
    onSample(request) {
      const answer = answers[asked.length] ?? "No more answers";
      asked.push(request);
      if (answer instanceof Error) throw answer;
      const said = typeof answer === "string" ? { content: { type: "text" as const, text: answer } } : answer;
      return { content: { type: "text", text: "" }, model: "host-1", ...said };
    },
  });
  clients.push(client);
  return { client, asked };
}

describe.each(["modern", "legacy"] as const)("a %s client with a model", (era) => {
  test("answers where no provider is configured", async () => {
    const { client, asked } = openClient({ era, answers: ["Four"] });

    const { text } = await client.callTool("ask_model", { prompt: "Two and two?", system: "Be brief" });

    expect(text).toBe("Four");
    expect(asked).toMatchObject([
      {
        systemPrompt: "Be brief",
        maxTokens: 16_000,
        messages: [{ role: "user", content: { type: "text", text: "Two and two?" } }],
      },
    ]);
  });

  test("is asked once more for JSON that does not fit", async () => {
    const { client, asked } = openClient({
      era,
      answers: ["No idea", `\`\`\`json\n${JSON.stringify(REVIEW)}\n\`\`\``],
    });

    const { structuredContent } = await client.callTool("review_code", { code: "let a" });

    expect(structuredContent).toMatchObject(REVIEW);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.messages).toHaveLength(3);
  });

  test("may be cut off, which is no answer", async () => {
    const answer = { content: { type: "text" as const, text: "Fo" }, stopReason: "maxTokens" };
    const { client } = openClient({ era, answers: [answer] });

    const { isError, text } = await client.callTool("ask_model", { prompt: "Two and two?" });

    expect(isError).toBe(true);
    expect(text).toContain("cut off");
  });

  test("is not asked unless the server was told to", async () => {
    const { client, asked } = openClient({ era, answers: ["Four"], hostModel: false });

    const { isError, text } = await client.callTool("ask_model", { prompt: "Two and two?" });

    expect(isError).toBe(true);
    expect(text).toContain("OPENAI_API_KEY");
    expect(asked).toEqual([]);
  });

  test("is not asked for a provider that the call names", async () => {
    const { client, asked } = openClient({ era, answers: ["Four"] });

    const { isError, text } = await client.callTool("ask_model", { prompt: "Two and two?", provider: "gemini" });

    expect(isError).toBe(true);
    expect(text).toContain("GEMINI_API_KEY");
    expect(asked).toEqual([]);
  });

  test("makes no images", async () => {
    const { client, asked } = openClient({ era, answers: ["A fox"] });

    const { isError, text } = await client.callTool("generate_image", { prompt: "A fox" });

    expect(isError).toBe(true);
    expect(text).toContain("STABILITY_API_KEY");
    expect(asked).toEqual([]);
  });
});

test("a model whose user refuses leads to a result that says so", async () => {
  const { client } = openClient({ era: "legacy", answers: [new Error("The user said no")] });

  const { isError, text } = await client.callTool("ask_model", { prompt: "Two and two?" });

  expect(isError).toBe(true);
  expect(text).toContain("client's model");
});
