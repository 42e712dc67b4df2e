import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, legacy, modern, opening, PLAIN_HEADERS } from "./fixture.js";

function withVersion<Request extends { headers: Record<string, string> }>(
  request: Request,
  version: string | undefined,
) {
  const { "mcp-protocol-version": _, ...headers } = request.headers;
  return { ...request, headers: version === undefined ? headers : { ...headers, "mcp-protocol-version": version } };
}

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each([
    { title: "without a version header", asked: "2025-06-18", header: undefined, agreed: "2025-06-18" },
    { title: "with the header of another revision", asked: "2025-06-18", header: "2025-03-26", agreed: "2025-06-18" },
    { title: "for a revision that never was", asked: "1999-01-01", header: undefined, agreed: "2025-11-25" },
    { title: "for the oldest revision", asked: "2024-11-05", header: undefined, agreed: "2024-11-05" },
  ])("opens $title", async ({ asked, header, agreed }) => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(legacy("initialize", opening(asked), { version: header }));

    await mounted.close();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).result.protocolVersion).toBe(agreed);
  });

  test.each(["banana", "2025-06-18, 2025-06-18", "2025-13-45", "2099-01-01"])(
    "refuses the legacy version header %s with 400 and the request's id",
    async (version) => {
      const { server, ran } = createFixture();
      const mounted = await adapter.mount(server);

      const answer = await mounted.send(legacy("tools/call", { name: "echo" }, { id: 7, version }));

      await mounted.close();
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ id: 7, error: { code: -32022, data: { requested: version } } });
      expect(ran.count).toBe(0);
    },
  );

  test("refuses an empty version header with 400", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(legacy("tools/list", {}, { version: "" }));

    await mounted.close();
    expect(answer.status).toBe(400);
  });

  test("takes a legacy request without a version header, as 2025-03-26", async () => {
    const { server } = createFixture();
    server.tool("titled", { title: "Titled" }, () => "x");
    const mounted = await adapter.mount(server);

    const answers = [
      await mounted.send(legacy("tools/list", {}, { version: undefined })),
      await mounted.send(legacy("tools/list", {}, { version: "2025-06-18" })),
    ];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    // Titles came with 2025-06-18.
    expect(answers.map(({ body }) => JSON.parse(body).result.tools.at(-1).title)).toEqual([undefined, "Titled"]);
  });

  test.each([
    { title: "another version in _meta", header: "2026-07-28", meta: "2025-11-25", code: -32020 },
    { title: "no header", header: undefined, meta: "2026-07-28", code: -32020 },
    { title: "an empty header", header: "", meta: "2026-07-28", code: -32020 },
    { title: "a legacy header", header: "2025-06-18", meta: "2026-07-28", code: -32020 },
    { title: "the same unknown version twice", header: "2099-01-01", meta: "2099-01-01", code: -32022 },
  ])("refuses a modern request with $title", async ({ header, meta, code }) => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);
    const request = modern("tools/call", { name: "echo", arguments: {} });
    const body = request.body.replace('protocolVersion":"2026-07-28"', `protocolVersion":"${meta}"`);

    const answer = await mounted.send(withVersion({ ...request, body }, header));

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ id: 1, error: { code } });
    expect(ran.count).toBe(0);
  });

  test("refuses a modern header without _meta with -32602", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send({
      headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });

    await mounted.close();
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error.code).toBe(-32602);
  });

  test("answers an unknown method with 404 on modern and 200 on legacy", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answers = [await mounted.send(modern("tools/fly")), await mounted.send(legacy("tools/fly"))];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
    expect(answers.map(({ body }) => JSON.parse(body).error.code)).toEqual([-32601, -32601]);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "knows neither a method nor a tool named %s",
    async (name) => {
      const mounted = await adapter.mount(createFixture().server);

      const answers = [
        await mounted.send(modern(name)),
        await mounted.send(legacy(name)),
        await mounted.send(modern("tools/call", { name, arguments: {} })),
        await mounted.send(legacy("tools/call", { name, arguments: {} })),
      ];

      await mounted.close();
      expect(answers.map(({ status }) => status)).toEqual([404, 200, 200, 200]);
      expect(answers.map(({ body }) => JSON.parse(body).error.code)).toEqual([-32601, -32601, -32602, -32602]);
    },
  );

  test.each(["initialize", "ping"])("does not know the removed method %s on modern", async (method) => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send(modern(method));

    await mounted.close();
    expect(answer.status).toBe(404);
  });
});
