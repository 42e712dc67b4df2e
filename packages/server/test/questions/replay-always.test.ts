import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, NAME_SCHEMA, textOf } from "./modern-client.js";

const FIRST = { message: "One?", schema: NAME_SCHEMA };
const SECOND = { message: "Two?", schema: NAME_SCHEMA };

describe("with replay always, a handler", () => {
  test("runs again for each answer of a legacy client", async () => {
    const { server, errors } = createServer({ replay: "always" });
    let runs = 0;
    let works = 0;
    server.tool("ask", {}, async (_, { elicit, once }) => {
      runs += 1;
      await once("work", () => {
        works += 1;
      });
      const one = await elicit(FIRST);
      const two = await elicit(SECOND);
      return `${one.action} ${two.action}`;
    });

    const answer = await openLegacy(server, ({ params }) => ({
      result: params.message === "One?" ? accept({ name: "Ada" }) : { action: "decline" },
    })).call();

    expect(textOf(answer)).toBe("accept decline");
    expect([runs, works]).toEqual([3, 1]);
    expect(errors).toEqual([]);
  });

  test("has its notices sent once", async () => {
    const { server } = createServer({ replay: "always" });
    server.tool("ask", {}, async (_, { elicit, progress }) => {
      await progress(1);
      await elicit(FIRST);
      await progress(2);
      return "done";
    });
    const client = openLegacy(server, () => ({ result: accept({ name: "Ada" }) }));

    await client.ask("tools/call", { name: "ask", arguments: {}, _meta: { progressToken: 1 } });

    expect(client.notices).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }]);
  });

  test("is told of the client's errors in place of answers", async () => {
    const { server } = createServer({ replay: "always" });
    server.tool("ask", {}, async (_, { listRoots }) => {
      const error = await listRoots().catch((failure: { code: number }) => failure);
      return "code" in error ? String(error.code) : "answered";
    });

    const answer = await openLegacy(server, () => ({ error: { code: -1, message: "No" } })).call();

    expect(textOf(answer)).toBe("-1");
  });

  test("that lets such an error pass has its caller's model read it", async () => {
    const { server, errors } = createServer({ replay: "always" });
    server.tool("ask", {}, async (_, { listRoots }) => {
      await listRoots();
      return "answered";
    });

    const answer = await openLegacy(server, () => ({ error: { code: -1, message: "No" } })).call();

    expect(answer.result).toEqual({ content: [{ type: "text", text: "No" }], isError: true });
    expect(errors).toEqual([]);
  });

  test("that lets the suspension pass has a live signal in each run", async () => {
    const { server } = createServer({ replay: "always" });
    const aborted: boolean[] = [];
    const signals: AbortSignal[] = [];
    server.tool("ask", {}, async (_, { elicit, signal }) => {
      aborted.push(signal.aborted);
      signals.push(signal);
      await elicit(FIRST);
      return "done";
    });

    await openLegacy(server, () => ({ result: accept({ name: "Ada" }) })).call();

    expect(aborted).toEqual([false, false]);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  });

  test("asks in vain eight times at most", async () => {
    const { server } = createServer({ replay: "always" });
    server.tool("ask", {}, async (_, { elicit }) => (await elicit(FIRST)).action);
    const client = openLegacy(server, () => ({ result: accept({}) }));

    const { result } = await client.call();

    expect(result.isError).toBe(true);
    expect(client.put).toHaveLength(8);
  });

  test("stops when the call is cancelled", async () => {
    const { server } = createServer({ replay: "always" });
    let runs = 0;
    server.tool("ask", {}, async (_, { elicit }) => {
      runs += 1;
      return (await elicit(FIRST)).action;
    });
    const client = openLegacy(server);

    void client.ask("tools/call", { name: "ask" }, "mine");
    await client.next();
    client.receive({ method: "notifications/cancelled", params: { requestId: "mine" } });
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(runs).toBe(1);
    expect(client.notices).toMatchObject([{ method: "notifications/cancelled" }]);
  });

  test("runs through middleware once", async () => {
    const { server } = createServer({ replay: "always" });
    const results: unknown[] = [];
    server.use(async (_, next) => {
      const result = await next();
      results.push(result);
      return result;
    });
    server.tool("ask", {}, async (_, { elicit }) => (await elicit(FIRST)).action);

    await openLegacy(server, () => ({ result: accept({ name: "Ada" }) })).call();

    expect(results.filter((result) => Object.hasOwn(result as object, "content"))).toEqual([
      { content: [{ type: "text", text: "accept" }] },
    ]);
  });
});
