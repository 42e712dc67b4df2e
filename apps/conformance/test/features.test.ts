import { expect, test } from "vitest";
import { createFixtureServer } from "../src/fixture-server.js";

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };

/** Asks a fresh server, or the given one, on the modern revision. */
async function ask(method: string, params: object = {}, server = createFixtureServer()) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": CAPABILITIES,
  };
  const response = await server.handle({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
  if (response === null || !("result" in response)) throw new Error(`${method} gave ${JSON.stringify(response)}`);
  return response.result;
}

test("every prompt and every resource is described", async () => {
  const { prompts } = await ask("prompts/list");
  const { resources } = await ask("resources/list");

  expect(prompts).toEqual(Array(5).fill(expect.objectContaining({ description: expect.stringMatching(/./) })));
  expect(resources).toEqual(Array(3).fill(expect.objectContaining({ name: expect.stringMatching(/./) })));
});

test("every listed resource can be read", async () => {
  const { resources } = (await ask("resources/list")) as unknown as { resources: { uri: string }[] };

  const read = await Promise.all(resources.map(({ uri }) => ask("resources/read", { uri })));

  expect(read.map(({ contents }) => contents)).toEqual(resources.map(({ uri }) => [expect.objectContaining({ uri })]));
});

test("ids and words are completed", async () => {
  const word = {
    ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
    argument: { name: "arg1", value: "te" },
  };
  const id = { ref: { type: "ref/resource", uri: "test://template/{id}/data" }, argument: { name: "id", value: "12" } };

  expect(await ask("completion/complete", word)).toMatchObject({ completion: { values: ["test", "testing"] } });
  expect(await ask("completion/complete", id)).toMatchObject({ completion: { values: ["123", "124"] } });
});

test.each([
  ["test_input_required_result_elicitation", { user_name: { action: "accept", content: { name: "Ada" } } }],
  ["test_input_required_result_list_roots", { client_roots: { roots: [{ uri: "file:///home/ada" }] } }],
  ["test_input_required_result_request_state", { confirm: { action: "accept", content: { ok: true } } }],
])("%s asks first and completes with the answer", async (name, inputResponses) => {
  const server = createFixtureServer();

  const first = await ask("tools/call", { name, arguments: {} }, server);
  const { requestState } = first;
  const second = await ask("tools/call", { name, arguments: {}, requestState, inputResponses }, server);

  expect(first.resultType).toBe("input_required");
  expect(Object.keys(first.inputRequests as object)).toEqual(Object.keys(inputResponses));
  expect(second).toMatchObject({ resultType: "complete", content: [{ type: "text" }] });
});
