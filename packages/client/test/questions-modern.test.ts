import type { ClientOptions } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { ALL, asks, callsOf, DONE, FORM, ROOTS, SAMPLE, startAsking } from "./asking-server.js";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

describe("a result that asks for input", () => {
  test("is answered by the handlers, and the request is sent again under another id", async () => {
    const fake = await startAsking(asks({ a: FORM, b: SAMPLE, c: ROOTS }, 'opaque "\u00e4\\'), DONE);
    const client = openClient({ url: fake.url, ...ALL });

    const { text } = await client.callTool("echo", { text: "x" }, { meta: { trace: 1 } });

    expect(text).toBe("done");
    const [first, second] = callsOf(fake);
    expect(first).not.toHaveProperty("inputResponses");
    expect(first).not.toHaveProperty("requestState");
    expect(second).toMatchObject({ name: "echo", arguments: { text: "x" }, _meta: { trace: 1 } });
    expect(second?.requestState).toBe('opaque "\u00e4\\');
    expect(second?.inputResponses).toEqual({
      a: { action: "accept", content: { name: "Ada" } },
      b: { role: "assistant", content: { type: "text", text: "Hello" }, model: "m" },
      c: { roots: [{ uri: "file:///home", name: "Home" }] },
    });
    const ids = fake.log.map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("without state gets no state back", async () => {
    const fake = await startAsking(asks({ a: ROOTS }, "first"), asks({ b: ROOTS }), DONE);
    const client = openClient({ url: fake.url, ...ALL });

    await client.callTool("echo");

    expect(callsOf(fake).map((params) => params?.requestState)).toEqual([undefined, "first", undefined]);
    expect(Object.keys(callsOf(fake)[2]?.inputResponses ?? {})).toEqual(["b"]);
  });

  test("with state and no questions is asked again, without answers", async () => {
    const fake = await startAsking({ resultType: "input_required", requestState: "s" }, DONE);
    const client = openClient(fake.url);

    const { text } = await client.callTool("echo");

    expect(text).toBe("done");
    expect(callsOf(fake)[1]).toMatchObject({ requestState: "s" });
    expect(callsOf(fake)[1]).not.toHaveProperty("inputResponses");
  });

  test("keeps keys that mean something to objects", async () => {
    const fake = await startAsking(
      JSON.parse('{"resultType":"input_required","inputRequests":{"__proto__":{"method":"roots/list"}}}'),
      DONE,
    );
    const client = openClient({ url: fake.url, ...ALL });

    await client.callTool("echo");

    expect(fake.log.at(-1)?.text).toContain('"__proto__":{"roots"');
  });

  test("may also come from prompts and resources", async () => {
    const done = { resultType: "complete", messages: [], contents: [] };
    const prompts = await startAsking(asks({ a: ROOTS }), done);
    const resources = await startAsking(asks({ a: ROOTS }), done);

    await openClient({ url: prompts.url, ...ALL }).getPrompt("p");
    await openClient({ url: resources.url, ...ALL }).readResource("a://1");

    expect(prompts.log.at(-1)?.message.params).toHaveProperty("inputResponses");
    expect(resources.log.at(-1)?.message.params).toHaveProperty("inputResponses");
  });

  test("is refused where nothing may be asked", async () => {
    const fake = await startFake(serveModern({ "completion/complete": (reply) => reply.result(asks({ a: ROOTS })) }));
    const client = openClient({ url: fake.url, ...ALL });

    const error = await failureOf(client.complete({ prompt: "p", argument: "a", value: "" }));

    expect(error).toMatchObject({ code: "invalid_response" });
    expect(fake.methods().filter((method) => method === "completion/complete")).toHaveLength(1);
  });

  test("is given up after so many rounds", async () => {
    const fake = await startAsking(asks({ a: ROOTS }, "s"));
    const client = openClient({ url: fake.url, ...ALL });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "input_required", cause: { requestState: "s" } });
    expect(callsOf(fake)).toHaveLength(9);
  });

  test("counts rounds to a limit of one's own", async () => {
    const fake = await startAsking(asks({ a: ROOTS }));
    const client = openClient({ url: fake.url, ...ALL, maxInputRounds: 1 });

    await failureOf(client.callTool("echo"));

    expect(callsOf(fake)).toHaveLength(2);
  });

  test("counts rounds that only take time, too, which begin after a pause", async () => {
    const fake = await startAsking({ resultType: "input_required", requestState: "s" });
    const client = openClient({ url: fake.url, maxInputRounds: 2 });
    await client.connect();
    const startedAt = performance.now();

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "input_required" });
    expect(callsOf(fake)).toHaveLength(3);
    expect(performance.now() - startedAt).toBeGreaterThan(400);
  });

  test("of another kind in a later round rejects as ever", async () => {
    const fake = await startAsking(asks({ a: ROOTS }), { resultType: "tomorrow" });
    const client = openClient({ url: fake.url, ...ALL });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "unknown_result_type" });
  });

  test("keeps mirrored headers in every round", async () => {
    const tool = {
      name: "where",
      inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    };
    const results = [asks({ a: ROOTS }), DONE];
    const fake = await startFake(serveModern({ "tools/call": (reply) => reply.result(results.shift()) }, [tool]));
    const client = openClient({ url: fake.url, ...ALL });

    await client.callTool("where", { region: "eu" });

    expect(fake.log.slice(-2).map(({ headers }) => headers["mcp-param-region"])).toEqual(["eu", "eu"]);
  });
});

describe("what cannot be answered", () => {
  test.each([
    ["a form", FORM, "onElicit"],
    ["a model's answer", SAMPLE, "onSample"],
    ["folders", ROOTS, "onRoots"],
    ["something unknown", { method: "vendor/ask" }, "vendor/ask"],
  ])("%s: rejects, names what is missing, and asks nobody else", async (_title, question, missing) => {
    let asked = 0;
    const count =
      <T>(answer: T) =>
      (): T => {
        asked += 1;
        return answer;
      };
    const others: Partial<ClientOptions> = {
      onElicit: count({ action: "decline" }),
      onSample: count({ content: [], model: "m" }),
      onRoots: count([]),
    };
    const fake = await startAsking(asks({ known: missing === "onRoots" ? FORM : ROOTS, question }), DONE);
    const client = openClient({ url: fake.url, ...others, [missing]: undefined });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "input_required" });
    expect(error.message).toContain(missing);
    expect(asked).toBe(0);
    expect(callsOf(fake)).toHaveLength(1);
  });

  test("a mode that was not declared: rejects", async () => {
    const page = { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://a.test" } };
    const fake = await startAsking(asks({ page }), DONE);
    const client = openClient({ url: fake.url, ...ALL, capabilities: { elicitation: { form: {} } } });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "input_required" });
  });

  test.each([
    ["a question that is no object", { a: null }],
    ["a form without fields", { a: { method: "elicitation/create", params: { message: "Who?" } } }],
    ["a mode that does not exist", { a: { method: "elicitation/create", params: { message: "m", mode: "x" } } }],
    [
      "a page that would run a program",
      { a: { method: "elicitation/create", params: { message: "m", mode: "url", url: "javascript:alert(1)" } } },
    ],
    ["no messages for the model", { a: { method: "sampling/createMessage", params: { maxTokens: 1 } } }],
    ["questions in an array", [ROOTS]],
  ])("%s: rejects", async (_title, questions) => {
    const fake = await startAsking(asks(questions), DONE);
    const client = openClient({ url: fake.url, ...ALL });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "invalid_response" });
  });

  test.each([
    " javascript:1",
    "java\tscript:1",
    "file:///etc/passwd",
    "smb://127.0.0.1/x",
    "data:text/html,<script>1</script>",
    "vscode://x",
    "//x.example/a",
    "",
  ])("a page at %j: rejects, and is shown to nobody", async (url) => {
    const page = { method: "elicitation/create", params: { message: "m", mode: "url", url } };
    const fake = await startAsking(asks({ page }), DONE);
    const shown: unknown[] = [];
    const onElicit: ClientOptions["onElicit"] = (request) => {
      shown.push(request);
      return { action: "accept" };
    };

    expect(await failureOf(openClient({ url: fake.url, onElicit }).callTool("echo"))).toMatchObject({
      code: "invalid_response",
    });
    expect(shown).toEqual([]);
  });

  test("state that is no text: rejects", async () => {
    const fake = await startAsking(asks({ a: ROOTS }, { step: 1 }), DONE);
    const client = openClient({ url: fake.url, ...ALL });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "invalid_response" });
  });
});
