import type { ClientExtension, JsonObject } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

const TICKETS = "com.example/tickets";

/** A server whose tool answers with a ticket. */
const startTickets = (first: object = { resultType: "ticket", ticket: "7" }) =>
  startFake(
    serveModern({
      "tools/call": (reply) => reply.result(first),
      "tickets/get": (reply) =>
        reply.result({ resultType: "complete", text: `of ${String(reply.request.message.params?.ticket)}` }),
    }),
  );

describe("an extension of a client", () => {
  test("is declared to modern servers with every request, beside what was configured", async () => {
    const server = await startFake(serveModern());
    const client = openClient({ url: server.url, capabilities: { extensions: { "com.example/other": { a: 1 } } } });
    client.extend({ id: TICKETS, settings: { most: 3 } });

    await client.callTool("echo", { text: "x" });

    const declared = server.log.map(
      ({ message }) => message.params?._meta?.["io.modelcontextprotocol/clientCapabilities"]?.extensions,
    );
    expect(declared).toEqual(server.log.map(() => ({ "com.example/other": { a: 1 }, [TICKETS]: { most: 3 } })));
  });

  test("is none of the business of legacy servers", async () => {
    const server = await startFake(serveLegacy());
    const client = openClient({ url: server.url, era: "legacy" });
    client.extend({ id: TICKETS });

    await client.connect();

    expect(server.log[0]?.message.params?.capabilities).not.toHaveProperty("extensions");
  });

  test("goes on with its own results until there is one of the usual kind", async () => {
    const server = await startTickets();
    const client = openClient(server.url);
    client.extend({
      id: TICKETS,
      resultTypes: {
        ticket: async ({ ticket }, { method, params, signal }) => {
          const { text } = await client.request("tickets/get", { ticket }, { signal });
          return { content: [{ type: "text", text: `${method} ${String(params?.name)} ${String(text)}` }] };
        },
      },
    });

    expect((await client.callTool("echo")).text).toBe("tools/call echo of 7");
  });

  test("gives its results as they come where it only names them", async () => {
    const server = await startTickets();
    const client = openClient(server.url);
    client.extend({ id: TICKETS, resultTypes: ["ticket"] });

    expect(await client.request("tools/call", { name: "echo" })).toMatchObject({ resultType: "ticket", ticket: "7" });
    expect(await client.callTool("echo")).toMatchObject({ resultType: "ticket", ticket: "7", content: [] });
  });

  test.each([
    ["nobody has added", []],
    ["another one has", [{ id: TICKETS, resultTypes: ["receipt"] }]],
    ["none names in so many words", [{ id: TICKETS, resultTypes: {} }]],
  ] as const)("is no way around result types that %s", async (_, extensions) => {
    const server = await startTickets({ resultType: "toString" });
    const client = openClient(server.url);
    for (const extension of extensions) client.extend(extension);

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "unknown_result_type" });
  });

  test.each([
    ["nothing", undefined, "invalid_options"],
    ["another result that is not complete", { resultType: "ticket" }, "unknown_result_type"],
  ])("fails when it makes %s of a result", async (_, made, code) => {
    const server = await startTickets();
    const client = openClient(server.url);
    client.extend({ id: TICKETS, resultTypes: { ticket: () => made as unknown as JsonObject } });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code });
  });

  test("is not held to the timeout of the request, and ends with it", async () => {
    const server = await startTickets();
    const client = openClient(server.url);
    let aborted = false;
    client.extend({
      id: TICKETS,
      resultTypes: {
        ticket: (_, { signal }) =>
          new Promise((resolve) => {
            const timer = setTimeout(() => resolve({ content: [] }), 400);
            signal.addEventListener("abort", () => {
              aborted = true;
              clearTimeout(timer);
            });
          }),
      },
    });
    await client.connect();

    const patient = client.callTool("echo", {}, { timeout: 200 });
    const hasty = failureOf(client.callTool("echo", {}, { maxTotalTimeout: 250 }));

    expect((await patient).content).toEqual([]);
    expect(await hasty).toMatchObject({ name: "MCPTimeoutError" });
    expect(aborted).toBe(true);
  });

  test("mirrors the names of its requests", async () => {
    const server = await startTickets();
    const client = openClient(server.url);
    client.extend({ id: TICKETS, methods: { "tickets/get": { mirrors: "ticket" }, "tickets/list": {} } });

    await client.request("tickets/get", { ticket: "größe" });
    const [encoded] = server.log.slice(-1).map(({ headers }) => headers["mcp-name"]);
    await failureOf(client.request("tickets/list", { ticket: "7" }));

    expect(encoded).toMatch(/^=\?base64\?/);
    expect(server.log.at(-1)?.headers).not.toHaveProperty("mcp-name");
  });

  test.each([
    { settings: null },
    { settings: [] },
    { methods: 5 },
    { methods: null },
    { methods: { "tickets/get": null } },
    { resultTypes: null },
    { resultTypes: ["ticket", 5] },
    { resultTypes: { ticket: 5 } },
  ])("is refused when it could not be used: %j", (wrong) => {
    const client = openClient("http://127.0.0.1:1");

    expect(() => client.extend({ id: TICKETS, ...wrong } as unknown as ClientExtension)).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });

  test("is refused twice, late, or when it is none", async () => {
    const server = await startFake(serveModern());
    const client = openClient(server.url);
    client.extend({ id: TICKETS });

    expect(() => client.extend({ id: TICKETS })).toThrow(expect.objectContaining({ code: "duplicate_name" }));
    for (const wrong of [undefined, {}, { id: 5 }, { id: "tickets" }])
      expect(() => client.extend(wrong as unknown as ClientExtension)).toThrow(
        expect.objectContaining({ code: "invalid_options" }),
      );
    await client.connect();
    expect(() => client.extend({ id: "com.example/late" })).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
  });
});
