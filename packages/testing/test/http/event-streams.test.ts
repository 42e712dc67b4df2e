import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, legacy, modern } from "./fixture.js";

const COUNT = { name: "count", arguments: { steps: 3 } };
const TOKEN = { meta: { progressToken: 1 } };

function readEvents(body: string): { id?: unknown; method?: string }[] {
  return body
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => JSON.parse(event.slice("data: ".length)));
}

describe.each(ADAPTERS)("$name", (adapter) => {
  test("answers with JSON where no notice comes first", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(modern("tools/call", { name: "later", arguments: {} }, TOKEN));

    await mounted.close();
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test.each([
    { era: "modern", request: modern("tools/call", COUNT, TOKEN) },
    { era: "legacy", request: legacy("tools/call", { ...COUNT, _meta: { progressToken: 1 } }) },
  ])("turns into an event stream with the first notice, and ends with the response ($era)", async ({ request }) => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(request);

    await mounted.close();
    const events = readEvents(answer.body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.headers.get("cache-control")).toContain("no-store");
    expect(answer.headers.get("x-accel-buffering")).toBe("no");
    expect(events.map(({ method }) => method)).toEqual([...Array(3).fill("notifications/progress"), undefined]);
    expect(events.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "counted" }] } });
  });

  test("drops notices in the mode json, and for clients that read no events", async () => {
    const json = await adapter.mount(createFixture().server, { responseMode: "json" });
    const auto = await adapter.mount(createFixture().server);
    const request = modern("tools/call", COUNT, TOKEN);

    const answers = [
      await json.send(request),
      await auto.send({ ...request, headers: { ...request.headers, accept: "application/json" } }),
    ];

    await Promise.all([json.close(), auto.close()]);
    expect(answers.map(({ headers }) => headers.get("content-type"))).toEqual(["application/json", "application/json"]);
    expect(answers.map(({ body }) => JSON.parse(body).id)).toEqual([1, 1]);
  });

  test("answers with events in the mode sse, and to clients that read nothing else; errors stay JSON", async () => {
    const sse = await adapter.mount(createFixture().server, { responseMode: "sse" });
    const auto = await adapter.mount(createFixture().server);
    const request = modern("tools/list");

    const answers = [
      await sse.send(request),
      await auto.send({ ...request, headers: { ...request.headers, accept: "text/event-stream" } }),
      await sse.send(modern("tools/fly")),
    ];

    await Promise.all([sse.close(), auto.close()]);
    expect(answers.map(({ headers }) => headers.get("content-type"))).toEqual([
      "text/event-stream",
      "text/event-stream",
      "application/json",
    ]);
    expect(readEvents(answers[0]?.body ?? "")).toHaveLength(1);
  });

  test("sends comments at the interval once a stream is open, and none behind the response", async () => {
    const { server } = createFixture();
    server.tool("slow", {}, async (_, context) => {
      void context.progress(1);
      await new Promise((resolve) => setTimeout(resolve, 330));
      return "done";
    });
    const mounted = await adapter.mount(server, { keepAlive: 100 });
    const begin = performance.now();

    const answer = await mounted.send(modern("tools/call", { name: "slow", arguments: {} }, TOKEN));

    await mounted.close();
    const comments = answer.body.split("\n").filter((line) => line.startsWith(":")).length;
    expect(comments).toBeGreaterThanOrEqual(1);
    expect(comments).toBeLessThanOrEqual(1 + (performance.now() - begin) / 100);
    expect(answer.body.startsWith("data: ")).toBe(true);
    expect(readEvents(answer.body.slice(answer.body.lastIndexOf("data: ")))).toHaveLength(1);
  });

  test("opens the stream of a call that stays silent for an interval, so that nothing in between cuts it", async () => {
    const mounted = await adapter.mount(createFixture().server, { keepAlive: 40 });

    const answer = await mounted.send(modern("tools/call", { name: "later", arguments: { ms: 150 } }));

    await mounted.close();
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(answer.body.startsWith(":")).toBe(true);
    expect(readEvents(answer.body)).toHaveLength(1);
  });

  test.each(["off", 0] as const)("sends no comments with keepAlive: %s", async (keepAlive) => {
    const mounted = await adapter.mount(createFixture().server, { keepAlive });

    const answer = await mounted.send(modern("tools/call", { name: "later", arguments: { ms: 60 } }));

    await mounted.close();
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test("keeps callers with the same id apart", async () => {
    const { server } = createFixture();
    server.tool("who", {}, async (_, context) => {
      void context.progress(1, 1, String(context.header("x-caller")));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
      return String(context.header("x-caller"));
    });
    const mounted = await adapter.mount(server);
    const request = modern("tools/call", { name: "who", arguments: {} }, TOKEN);

    const callers = Array.from({ length: 200 }, (_, index) => `caller-${index}`);
    const answers = await Promise.all(
      callers.map((caller) => mounted.send({ ...request, headers: { ...request.headers, "x-caller": caller } })),
    );

    await mounted.close();
    for (const [index, { body }] of answers.entries()) {
      expect(new Set(body.match(/caller-\d+/g))).toEqual(new Set([`caller-${index}`]));
    }
  });

  test("serves one server object through several handlers at once", async () => {
    const { server } = createFixture();
    const [first, second] = [await adapter.mount(server), await adapter.mount(server)];

    const answers = await Promise.all([
      first.send(modern("tools/call", { name: "echo", arguments: { text: "first" } })),
      second.send(modern("tools/call", { name: "echo", arguments: { text: "second" } })),
    ]);

    await Promise.all([first.close(), second.close()]);
    expect(answers.map(({ body }) => JSON.parse(body).result.content[0].text)).toEqual(["first", "second"]);
  });
});
