import { isObject, type JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { expect, test } from "vitest";
import { addProviderTools } from "../../src/index.js";

/** Questions of modern revisions travel with the state of the call, sealed. */
const STATE_KEY = { id: "a", key: new Uint8Array(32).fill(1) };

/** What a client's model said to each question, and what came of the call. */
interface HostCall {
  readonly result: JsonObject;
  /** The questions, as JSON text. */
  readonly asked: readonly string[];
}

/** Calls a tool of a server without keys, as a modern client whose own model gives these answers. */
async function callWithHost(name: string, args: JsonObject, answers: readonly string[]): Promise<HostCall> {
  const server = new MCPServer({ name: "test", version: "1.0.0", state: { keys: [STATE_KEY] } });
  addProviderTools(server, { env: {}, hostModel: true });
  const asked: string[] = [];
  let extra: JsonObject = {};
  for (let round = 0; round < 8; round += 1) {
    const response = await server.handle({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        ...extra,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
          "io.modelcontextprotocol/clientCapabilities": { sampling: {} },
        },
      },
    });
    const result = isObject(response) && isObject(response.result) ? response.result : {};
    if (result.resultType !== "input_required") return { result, asked };
    const questions = Object.entries(isObject(result.inputRequests) ? result.inputRequests : {});
    const responses = questions.map(([key, question]) => {
      const text = answers[asked.length] ?? "";
      asked.push(JSON.stringify(question));
      return [key, { role: "assistant", content: { type: "text", text }, model: "host-1", stopReason: "endTurn" }];
    });
    extra = { inputResponses: Object.fromEntries(responses), requestState: result.requestState };
  }
  throw new Error("Expected a result within eight rounds");
}

test("the client's own model writes code where no provider is configured", async () => {
  const { result } = await callWithHost("generate_sql", { description: "One" }, ["```sql\nSELECT 1;\n```"]);

  expect(result).toMatchObject({ content: [{ type: "text", text: "SELECT 1;" }] });
});

test("the client's own model is asked once more for code that is none", async () => {
  const { result, asked } = await callWithHost("generate_sql", { description: "One" }, ["One.", "SELECT 1;"]);

  expect(result).toMatchObject({ content: [{ type: "text", text: "SELECT 1;" }] });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain("earlier answer");
});

test("the client's own model is named where its code cannot be used", async () => {
  const { result } = await callWithHost("generate_sql", { description: "One" }, ["One.", "One."]);

  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/client's model.*host-1/) }] });
});

test("the client's own model reviews code", async () => {
  const review = { summary: "Calls.", score: 100, issues: [] };

  const { result } = await callWithHost("review_code", { code: "call();" }, [JSON.stringify(review)]);

  expect(result).toMatchObject({ structuredContent: review });
});

test("the client's own model is a consensus of one", async () => {
  const { result } = await callWithHost("consensus", { prompt: "Tabs or spaces?" }, ["Tabs"]);

  expect(result).toMatchObject({
    structuredContent: { answers: [{ provider: "client", model: "host-1", text: "Tabs" }] },
  });
});

test("a provider that is named is not stood in for by the client's own model", async () => {
  const { result, asked } = await callWithHost("consensus", { prompt: "Tabs?", providers: ["groq"] }, ["Tabs"]);

  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("GROQ_API_KEY") }] });
  expect(asked).toEqual([]);
});
