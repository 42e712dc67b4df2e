import { inputRequired } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, reply, send } from "./modern-client.js";

const FORM = { message: "Who?", schema: NAME_SCHEMA };
const PROMPT = { method: "prompts/get", params: { name: "greet" } };
const RESOURCE = { method: "resources/read", params: { uri: "test://greet/1" } };
const accepting = (): unknown => accept({ name: "Ada" });

function createAsking() {
  const created = createServer();
  created.server.prompt("greet", {}, async (_, { elicit }) => {
    const answer = await elicit(FORM);
    return answer.action === "accept" ? `Greet ${answer.content.name}` : "Greet nobody";
  });
  created.server.resource("test://greet/{id}", { name: "greet" }, async ({ params }, { elicit }) => {
    const answer = await elicit(FORM);
    return answer.action === "accept" ? `${params.id} ${answer.content.name}` : "nobody";
  });
  return created;
}

describe("a prompt", () => {
  test("can ask a modern client", async () => {
    const { server } = createAsking();

    const first = await send(server, PROMPT);
    const second = await reply(server, first, accepting, PROMPT);

    expect(first.result.resultType).toBe("input_required");
    expect(second.result.messages[0].content.text).toBe("Greet Ada");
  });

  test("can ask a legacy client", async () => {
    const { server } = createAsking();
    const client = openLegacy(server, () => ({ result: accepting() }));

    const { result } = await client.ask(PROMPT.method, PROMPT.params);

    expect(result.messages[0].content.text).toBe("Greet Ada");
  });

  test("can ask by returning", async () => {
    const { server } = createServer();
    server.prompt("greet", {}, (_, { inputResponses }) =>
      inputResponses.name === undefined ? inputRequired({ inputRequests: { name: { elicit: FORM } } }) : "Greet",
    );

    const second = await reply(server, await send(server, PROMPT), accepting, PROMPT);

    expect(second.result.messages[0].content.text).toBe("Greet");
  });
});

describe("a resource", () => {
  test("can ask a modern client, and neither the question nor the answer is for others to keep", async () => {
    const { server } = createAsking();

    const first = await send(server, RESOURCE);
    const second = await reply(server, first, accepting, RESOURCE);

    expect(first.result.resultType).toBe("input_required");
    expect(first.result).not.toHaveProperty("ttlMs");
    expect(second.result).toMatchObject({ contents: [{ text: "1 Ada" }], ttlMs: 0, cacheScope: "private" });
  });

  test("can ask a legacy client", async () => {
    const { server } = createAsking();
    const client = openLegacy(server, () => ({ result: accepting() }));

    const { result } = await client.ask(RESOURCE.method, RESOURCE.params);

    expect(result.contents[0].text).toBe("1 Ada");
  });

  test("keeps its state to itself", async () => {
    const { server } = createAsking();
    const first = await send(server, RESOURCE);

    const other = { ...RESOURCE, params: { uri: "test://greet/2" } };

    expect((await reply(server, first, accepting, other)).error.code).toBe(-32602);
  });
});
