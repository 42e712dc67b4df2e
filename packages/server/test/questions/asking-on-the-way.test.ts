import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, textOf } from "./modern-client.js";

function createAsking(options = {}) {
  const created = createServer(options);
  created.server.tool("ask", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "Who are you?", schema: NAME_SCHEMA });
    return answer.action === "accept" ? `Hello, ${answer.content.name}!` : `You ${answer.action}.`;
  });
  return created;
}

describe("a question to a legacy client", () => {
  test("is a request of the server, and the handler goes on with its answer", async () => {
    const { server } = createAsking();
    const client = openLegacy(server, () => ({ result: accept({ name: "Ada" }) }));

    const answer = await client.call();

    expect(textOf(answer)).toBe("Hello, Ada!");
    expect(client.put).toMatchObject([
      {
        method: "elicitation/create",
        params: { mode: "form", message: "Who are you?", requestedSchema: { type: "object", required: ["name"] } },
      },
    ]);
  });

  test("runs the handler once", async () => {
    const { server } = createServer();
    let runs = 0;
    server.tool("ask", {}, async (_, { elicit }) => {
      runs += 1;
      await elicit({ message: "Who?", schema: NAME_SCHEMA });
      return "done";
    });

    await openLegacy(server, () => ({ result: accept({ name: "Ada" }) })).call();

    expect(runs).toBe(1);
  });

  test.each(["decline", "cancel"])("tells the handler of a %s", async (action) => {
    const { server } = createAsking();

    const answer = await openLegacy(server, () => ({ result: { action, content: { name: "Ada" } } })).call();

    expect(textOf(answer)).toBe(`You ${action}.`);
  });

  test("is put again while its answer does not fit", async () => {
    const { server } = createAsking();
    const answers: unknown[] = [{ action: "accept" }, { action: "yes" }, accept({ name: 7 }), accept({ name: "Ada" })];
    const client = openLegacy(server, () => ({ result: answers.shift() }));

    const answer = await client.call();

    expect(textOf(answer)).toBe("Hello, Ada!");
    expect(client.put).toHaveLength(4);
  });

  test("is put eight times at most", async () => {
    const { server, errors } = createAsking();
    const client = openLegacy(server, () => ({ result: accept({ name: 7 }) }));

    const { result } = await client.call();

    expect(result.isError).toBe(true);
    expect(client.put).toHaveLength(8);
    expect(errors).toEqual([]);
  });

  test("fails the tool with what the client says instead of an answer", async () => {
    const { server, errors } = createAsking();

    const answer = await openLegacy(server, () => ({ error: { code: -1, message: "User said no" } })).call();

    expect(answer.result).toEqual({ content: [{ type: "text", text: "User said no" }], isError: true });
    expect(errors).toEqual([]);
  });

  test("rejects with the client's error, which the handler may deal with", async () => {
    const { server } = createServer();
    server.tool("ask", {}, async (_, { listRoots }) => {
      const error = await listRoots().catch((failure: unknown) => failure);
      return JSON.stringify(error);
    });

    const answer = await openLegacy(server, () => ({ error: { code: -32601, message: "No", data: 5 } })).call();

    expect(JSON.parse(textOf(answer) ?? "")).toMatchObject({ code: -32601, data: 5 });
  });

  test("has an id of 128 random bits", async () => {
    const { server } = createAsking();
    const client = openLegacy(server, () => ({ result: { action: "cancel" } }));

    await client.call();
    await client.call();

    const ids = client.put.map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  test("hears the first response alone, and none to another id", async () => {
    const { server } = createAsking();
    const client = openLegacy(server);

    const calling = client.call();
    const { id } = await client.next();
    client.receive({ id: "guessed", result: accept({ name: "Eve" }) });
    client.receive({ id, result: accept({ name: "Ada" }) });
    client.receive({ id, result: accept({ name: "Bob" }) });

    expect(textOf(await calling)).toBe("Hello, Ada!");
  });

  test.each([{ result: 5 }, { result: null }, {}, { error: "no" }])(
    "fails for what is no response: %j",
    async (answer) => {
      const { server } = createAsking();
      const client = openLegacy(server);

      const calling = client.call();
      const { id } = await client.next();
      client.receive({ id, ...answer });

      expect((await calling).result.isError).toBe(true);
    },
  );

  test("is given up when the call is cancelled, and the client is told", async () => {
    const { server } = createAsking();
    const client = openLegacy(server);

    void client.ask("tools/call", { name: "ask" }, "mine");
    const { id } = await client.next();
    client.receive({ method: "notifications/cancelled", params: { requestId: "mine" } });

    expect(client.notices).toMatchObject([{ method: "notifications/cancelled", params: { requestId: id } }]);
    expect(client.connection.pending).toBe(0);
  });

  test("is given up when the handler ends without its answer", async () => {
    const { server } = createServer();
    server.tool("ask", {}, (_, { elicit }) => {
      void elicit({ message: "Who?", schema: NAME_SCHEMA });
      return "done";
    });
    const client = openLegacy(server);

    const answer = await client.call();

    expect(textOf(answer)).toBe("done");
    expect(client.notices.map(({ method }) => method)).toEqual(client.put.map(() => "notifications/cancelled"));
  });

  test("ends at once when the pipe finishes", async () => {
    const { server } = createAsking();
    const client = openLegacy(server);

    const calling = client.call();
    await client.next();
    await client.connection.finish({ drain: Number.POSITIVE_INFINITY });

    expect((await calling).result.isError).toBe(true);
  });

  test("is given up after the time that answers may take", async () => {
    const { server } = createAsking({ askTimeout: 20 });
    const client = openLegacy(server);

    const { result } = await client.call();

    expect(result.isError).toBe(true);
    expect(client.notices).toMatchObject([{ method: "notifications/cancelled" }]);
  });
});
