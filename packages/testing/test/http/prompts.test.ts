import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { ADAPTERS, type Sent } from "./adapters.js";
import { legacy, modern } from "./fixture.js";

function createServer(): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  const input = [{ name: "topic", required: true }] as const;
  const complete = { topic: (value: string) => [`${value}!`] };
  server.prompt("größe", { input, complete }, ({ topic }) => `About ${topic}`);
  server.prompt("secret", { visible: ({ principal }) => principal === "ada" }, () => "hidden");
  server.prompt("broken", {}, () => Promise.reject(new Error("it broke")));
  return server;
}

const HEADER = "=?base64?Z3LDtsOfZQ==?=";

function get(name: string, args: object, header = name): Sent {
  return modern("prompts/get", { name, arguments: args }, { headers: { "mcp-name": header } });
}

describe.each(ADAPTERS)("$name", (adapter) => {
  async function send(request: Sent) {
    const mounted = await adapter.mount(createServer());
    const { status, body } = await mounted.send(request);
    await mounted.close();
    return { status, ...JSON.parse(body) };
  }

  test("serves a prompt to clients of both eras", async () => {
    const messages = [{ role: "user", content: { type: "text", text: "About tea" } }];

    const { status, result } = await send(get("größe", { topic: "tea" }, HEADER));
    expect([status, result.resultType, result.messages]).toEqual([200, "complete", messages]);
    const params = { name: "größe", arguments: { topic: "tea" } };
    expect(await send(legacy("prompts/get", params))).toMatchObject({ status: 200, result: { messages } });
  });

  test.each([
    { title: "is missing", headers: {} },
    { title: "names another", headers: { "mcp-name": "broken" } },
  ])("refuses a prompt whose name header $title", async ({ headers }) => {
    const { status, error } = await send(modern("prompts/get", { name: "größe" }, { headers }));

    expect([status, error.code]).toEqual([400, -32020]);
  });

  test("tells of malformed params at the edge, and of wrong ones with status 200", async () => {
    expect(await send(get("größe", { topic: 5 }, HEADER))).toMatchObject({ status: 400, error: { code: -32602 } });
    expect(await send(get("größe", {}, HEADER))).toMatchObject({ status: 200, error: { code: -32602 } });
    expect(await send(get("nope", {}))).toMatchObject({ status: 200, error: { code: -32602 } });
    expect(await send(get("secret", {}))).toMatchObject({ status: 200, error: { code: -32602 } });
    expect(await send(get("broken", {}))).toMatchObject({ status: 200, error: { code: -32603 } });
  });

  test("completes an argument without a name header", async () => {
    const params = { ref: { type: "ref/prompt", name: "größe" }, argument: { name: "topic", value: "t" } };
    const completion = { values: ["t!"], total: 1, hasMore: false };

    expect(await send(modern("completion/complete", params))).toMatchObject({ status: 200, result: { completion } });
    expect(await send(legacy("completion/complete", params))).toMatchObject({ status: 200, result: { completion } });
  });

  test("keeps a list that depends on the caller out of caches that others share", async () => {
    const { result } = await send(modern("prompts/list"));

    expect(result.prompts.map(({ name }: { name: string }) => name)).toEqual(["größe", "broken"]);
    expect(result.cacheScope).toBe("private");
  });
});
