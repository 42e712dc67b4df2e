import { isResourceNotFound } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

describe("reading a resource", () => {
  test("gives its contents, and their text", async () => {
    const contents = [
      { uri: "a://1", text: "one" },
      { uri: "a://2", blob: "AAAA" },
      { uri: "a://3", text: "three" },
    ];
    const fake = await startFake(
      serveModern({ "resources/read": (reply) => reply.result({ resultType: "complete", contents, ttlMs: 1 }) }),
    );
    const client = openClient(fake.url);

    const result = await client.readResource(new URL("file:///täst"));

    expect(result).toMatchObject({ contents, text: "one\nthree", ttlMs: 1 });
    expect(fake.log.at(-1)?.message.params).toMatchObject({ uri: "file:///t%C3%A4st" });
    expect(fake.log.at(-1)?.headers["mcp-name"]).toBe("file:///t%C3%A4st");
  });

  test.each<[string, number, unknown, boolean]>([
    ["the error of today, which names it", -32602, { uri: "a://1" }, true],
    ["the error of earlier revisions", -32002, { uri: "a://1" }, true],
    ["the error of earlier revisions, without a word", -32002, undefined, true],
    ["wrong parameters of another kind", -32602, undefined, false],
    ["an error of its own", -32603, { uri: "a://1" }, false],
  ])(
    "that is refused with %s rejects with that, and is told to be missing or not",
    async (_, code, data, isMissing) => {
      const fake = await startFake(
        serveModern({ "resources/read": (reply) => reply.error(code, "not found", { status: 400, data }) }),
      );
      const client = openClient(fake.url);

      const error = await failureOf(client.readResource("a://1"));

      expect(error).toMatchObject({ name: "JsonRpcError", code, data });
      expect(isResourceNotFound(error)).toBe(isMissing);
    },
  );

  test("that is there and empty is empty", async () => {
    const fake = await startFake(serveModern({ "resources/read": (reply) => reply.result({ contents: [] }) }));

    expect(await openClient(fake.url).readResource("a://1")).toMatchObject({ contents: [], text: "" });
  });

  test("rejects when the result holds no contents", async () => {
    const fake = await startFake(
      serveModern({ "resources/read": (reply) => reply.result({ resultType: "complete" }) }),
    );
    const client = openClient(fake.url);

    expect(await failureOf(client.readResource("a://1"))).toMatchObject({ code: "invalid_response" });
  });
});

describe("getting a prompt", () => {
  test("sends name and arguments, the name in a header, too", async () => {
    const messages = [{ role: "user", content: { type: "text", text: "Hi" } }];
    const fake = await startFake(
      serveModern({ "prompts/get": (reply) => reply.result({ resultType: "complete", description: "d", messages }) }),
    );
    const client = openClient(fake.url);

    const result = await client.getPrompt("grüße", { name: "Ada" });

    expect(result).toMatchObject({ description: "d", messages });
    expect(fake.log.at(-1)?.message.params).toMatchObject({ name: "grüße", arguments: { name: "Ada" } });
    expect(fake.log.at(-1)?.headers["mcp-name"]).toBe("=?base64?Z3LDvMOfZQ==?=");
  });

  test("rejects when the result holds no messages", async () => {
    const fake = await startFake(
      serveModern({ "prompts/get": (reply) => reply.result({ resultType: "complete", messages: [null] }) }),
    );
    const client = openClient(fake.url);

    expect(await failureOf(client.getPrompt("p"))).toMatchObject({ code: "invalid_response" });
  });
});

describe("completing an argument", () => {
  const complete = (reply: Reply): void =>
    reply.result({ resultType: "complete", completion: { values: ["a", 1, "b"], total: 7, hasMore: true } });

  test("asks about a prompt, with what is settled already", async () => {
    const fake = await startFake(serveModern({ "completion/complete": complete }));
    const client = openClient(fake.url);

    const completion = await client.complete({ prompt: "p", argument: "x", value: "a", settled: { y: "1" } });

    expect(completion).toEqual({ values: ["a", "b"], total: 7, hasMore: true });
    expect(fake.log.at(-1)?.message.params).toMatchObject({
      ref: { type: "ref/prompt", name: "p" },
      argument: { name: "x", value: "a" },
      context: { arguments: { y: "1" } },
    });
  });

  test("asks about a template", async () => {
    const fake = await startFake(serveModern({ "completion/complete": complete }));
    const client = openClient(fake.url);

    await client.complete({ template: "a://{x}", argument: "x", value: "" });

    expect(fake.log.at(-1)?.message.params).toMatchObject({ ref: { type: "ref/resource", uri: "a://{x}" } });
  });

  test("keeps what is settled from revisions that do not know it", async () => {
    const fake = await startFake(
      serveLegacy({ version: "2025-03-26", overrides: { "completion/complete": complete } }),
    );
    const client = openClient(fake.url);

    await client.complete({ prompt: "p", argument: "x", value: "a", settled: { y: "1" } });

    expect(fake.log.at(-1)?.message.params).not.toHaveProperty("context");
  });

  test("of nothing is refused before anything is sent", async () => {
    const fake = await startFake(serveModern({ "completion/complete": complete }));
    const client = openClient(fake.url);

    const error = await failureOf(client.complete({ argument: "x", value: "a" } as never));

    expect(error).toMatchObject({ code: "invalid_options" });
    expect(fake.methods()).not.toContain("completion/complete");
  });
});
