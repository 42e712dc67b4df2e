import { type HandlerContext, inputRequired } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, reply, send, textOf } from "./modern-client.js";

const FORM = { message: "Who?", schema: NAME_SCHEMA, key: "name" };
const accepting = (): unknown => accept({ name: "Ada" });

describe("middleware", () => {
  test("sees a question as the result of its round", async () => {
    const { server, errors } = createServer();
    const seen: unknown[] = [];
    server.use(async (_, next) => {
      const result = await next();
      seen.push(result.resultType);
      return result;
    });
    server.tool("ask", {}, async (_, { elicit }) => (await elicit(FORM)).action);

    const second = await reply(server, await send(server), accepting);

    expect(textOf(second)).toBe("accept");
    expect(seen).toEqual(["input_required", undefined]);
    expect(errors).toEqual([]);
  });

  test("cannot run a handler again that has asked something", async () => {
    const { server, errors } = createServer();
    server.use(async (_, next) => {
      await next();
      return next();
    });
    server.tool("ask", {}, () => inputRequired({ state: "secret" }));

    const answer = await send(server);

    expect(answer.error.code).toBe(-32603);
    expect(errors).toMatchObject([{ code: "input_required" }]);
  });

  test("is not run for a state that is somebody else's", async () => {
    const { server } = createServer();
    let runs = 0;
    server.use((_, next) => {
      runs += 1;
      return next();
    });
    server.tool("ask", {}, async (_, { elicit }) => (await elicit(FORM)).action);
    await send(server);

    await send(server, { state: "bm90aGluZw" });

    expect(runs).toBe(1);
  });
});

describe("a tool with an output schema", () => {
  const output = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;

  test("is held to it once it has an answer", async () => {
    const { server } = createServer();
    server.tool("ask", { output }, async (_, { elicit }) => {
      const answer = await elicit(FORM);
      return answer.action === "accept" ? answer.content : { name: "nobody" };
    });

    const second = await reply(server, await send(server), accepting);

    expect(second.result.structuredContent).toEqual({ name: "Ada" });
  });

  test("that breaks it after a question fails as any other", async () => {
    const { server, errors } = createServer();
    server.tool("ask", { output }, async (_, { elicit }) => {
      await elicit(FORM);
      return {} as { name: string };
    });

    const { result } = await reply(server, await send(server), accepting);

    expect(result.isError).toBe(true);
    expect(errors).toHaveLength(1);
  });
});

describe("a question that comes too late", () => {
  async function askLate(run: (handler: (context: HandlerContext) => string) => Promise<unknown>): Promise<unknown> {
    let kept: HandlerContext | undefined;
    await run((context) => {
      kept = context;
      return "done";
    });
    return kept?.elicit(FORM).catch((error: unknown) => error);
  }

  test("is refused on modern revisions", async () => {
    const { server } = createServer();

    const error = await askLate(async (handler) => {
      server.tool("ask", {}, (_, context) => handler(context));
      await send(server);
    });

    expect(error).toMatchObject({ code: "closed" });
  });

  test("is refused on legacy revisions", async () => {
    const { server } = createServer();

    const error = await askLate(async (handler) => {
      server.tool("ask", {}, (_, context) => handler(context));
      await openLegacy(server).call();
    });

    expect(error).toMatchObject({ code: "closed" });
  });
});

test("a batch may bring the answer to a question, on the revision that has batches", async () => {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { listRoots }) => String((await listRoots()).roots.length));
  const client = openLegacy(server, () => undefined, { version: "2025-03-26" });

  const calling = client.call();
  const { id } = await client.next();
  client.connection.receive([
    { jsonrpc: "2.0", id, result: { roots: [{ uri: "file:///a" }] } },
    { jsonrpc: "2.0", method: "notifications/progress", params: {} },
  ]);

  expect(textOf(await calling)).toBe("1");
});

test("a call that is cancelled while its state is read does not run", async () => {
  const { server } = createServer();
  let runs = 0;
  server.tool("ask", {}, async (_, { elicit }) => {
    runs += 1;
    return (await elicit(FORM)).action;
  });
  const first = await send(server);
  const controller = new AbortController();

  const answering = reply(server, first, accepting, { options: { signal: controller.signal } });
  controller.abort();

  expect(await answering).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(runs).toBe(1);
});

test("a handler that asks until it is answered, whatever it catches, keeps nobody else from being served", async () => {
  let report: (error: unknown) => void = () => undefined;
  const reported = new Promise((resolve) => {
    report = resolve;
  });
  const { server } = createServer({ onError: (error) => report(error) });
  let asked = 0;
  server.tool("ask", {}, async (_, { elicit }) => {
    for (;;) {
      asked += 1;
      const answer = await elicit(FORM).catch(() => undefined);
      if (answer !== undefined) return answer.action;
    }
  });
  server.tool("other", {}, () => "served");
  const controller = new AbortController();

  const asking = send(server, { options: { signal: controller.signal } });
  const error = await reported;
  const other = await send(server, { params: { name: "other", arguments: {} } });
  controller.abort();

  expect(error).toMatchObject({ code: "input_required" });
  expect(textOf(other)).toBe("served");
  expect(await asking).toBeNull();
  expect(asked).toBeLessThan(200);
});

test("a server that is closed ends the questions it has put", async () => {
  const { server } = createServer();
  const failure = new Promise((resolve) => {
    server.tool("ask", {}, async (_, { elicit }) => {
      await elicit(FORM).catch(resolve);
      return "";
    });
  });
  const client = openLegacy(server);

  void client.call();
  await client.next();
  await server.close();

  expect(await failure).toMatchObject({ name: "AbortError" });
});
