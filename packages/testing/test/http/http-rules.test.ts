import { describe, expect, test, vi } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, legacy, modern } from "./fixture.js";

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each(["GET", "DELETE", "PUT", "PATCH"])("answers %s with 405 and the methods there are", async (method) => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send({ method, headers: { "mcp-session-id": "abc", "last-event-id": "5" } });

    await mounted.close();
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
    expect(answer.headers.has("mcp-session-id")).toBe(false);
  });

  test("answers HEAD with 405 and no body", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answer = await mounted.send({ method: "HEAD" });

    await mounted.close();
    expect(answer.status).toBe(405);
  });

  test("goes on serving after a DELETE, and ignores made-up session and event ids", async () => {
    const mounted = await adapter.mount(createFixture().server);
    await mounted.send({ method: "DELETE", headers: { "mcp-session-id": "abc" } });

    const requests = Array.from({ length: 20 }, (_, index) => {
      const request = index % 2 === 0 ? modern("tools/list") : legacy("tools/list");
      return mounted.send({
        ...request,
        headers: { ...request.headers, "mcp-session-id": "abc", "last-event-id": "5" },
      });
    });
    const answers = await Promise.all(requests);

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.some(({ headers }) => headers.has("mcp-session-id"))).toBe(false);
  });

  test("answers other paths with 404 as JSON", async () => {
    const mounted = await adapter.mount(createFixture().server);

    const answers = await Promise.all(
      ["/", "/mcp/", "/MCP", "/mcpx", "/a/mcp"].map((path) => mounted.send({ ...modern("tools/list"), path })),
    );

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(answers[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("finds its path before a query", async () => {
    const mounted = await adapter.mount(createFixture().server, { path: "/api/tools" });

    const answer = await mounted.send({ ...modern("tools/list"), path: "/api/tools?key=/mcp#x" });

    await mounted.close();
    expect(answer.status).toBe(200);
  });

  test.each([
    { type: undefined, status: 415 },
    { type: "text/plain", status: 415 },
    { type: "application/x-www-form-urlencoded", status: 415 },
    { type: "application/jsonp", status: 415 },
    { type: "application/json; charset=utf-16", status: 415 },
    { type: "Application/JSON; Charset=UTF-8", status: 200 },
    { type: "application/json;charset=utf-8", status: 200 },
  ])("answers the content type $type with $status", async ({ type, status }) => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);
    const request = modern("tools/call", { name: "echo", arguments: {} });
    const { "content-type": _, ...headers } = request.headers;

    const answer = await mounted.send({
      body: Buffer.from(request.body),
      headers: { ...headers, ...(type === undefined ? {} : { "content-type": type }) },
    });

    await mounted.close();
    expect(answer.status).toBe(status);
    expect(ran.count).toBe(status === 200 ? 1 : 0);
  });

  test("refuses compressed bodies with 415", async () => {
    const mounted = await adapter.mount(createFixture().server);
    const request = modern("tools/list");

    const answer = await mounted.send({ ...request, headers: { ...request.headers, "content-encoding": "gzip" } });

    await mounted.close();
    expect(answer.status).toBe(415);
  });

  test.each([
    { accept: "application/json, text/event-stream", strict: 200 },
    { accept: "text/event-stream;q=0.5,application/json;q=0.9", strict: 200 },
    { accept: "*/*", strict: 200 },
    { accept: "application/json", strict: 406 },
    { accept: "application/json, text/event-stream;q=0", strict: 406 },
    { accept: "text/html", strict: 406 },
  ])("takes the Accept header $accept, strictly only if it covers both types", async ({ accept, strict }) => {
    const strictly = await adapter.mount(createFixture().server, { requireAccept: "strict" });
    const warning = await adapter.mount(createFixture().server);
    const request = { ...modern("tools/list"), headers: { ...modern("tools/list").headers, accept } };

    const answers = [await strictly.send(request), await warning.send(request)];

    await Promise.all([strictly.close(), warning.close()]);
    expect(answers.map(({ status }) => status)).toEqual([strict, 200]);
  });

  test("warns once about clients that do not accept both types", async () => {
    const warnings: string[] = [];
    const mounted = await adapter.mount(createFixture().server, { onWarning: (message) => warnings.push(message) });
    const request = { ...modern("tools/list"), headers: { ...modern("tools/list").headers, accept: "text/html" } };

    await mounted.send(request);
    await mounted.send(request);

    await mounted.close();
    expect(warnings).toHaveLength(1);
  });

  test("shows a verifier the whole address that was asked for", async () => {
    const seen: string[] = [];
    const verify = ({ url }: { url: string }) => {
      seen.push(url.replace(/:\d+/, ""));
      return { principal: "ada" };
    };
    const mounted = await adapter.mount(createFixture().server, { auth: { verify } });

    await mounted.send({ ...modern("tools/list"), path: "/mcp?tenant=1" });

    await mounted.close();
    expect(seen).toEqual(["http://127.0.0.1/mcp?tenant=1"]);
  });

  test("refuses a body above the limit with 413 and takes one at the limit", async () => {
    const request = modern("tools/list");
    const size = Buffer.byteLength(request.body);
    const atLimit = await adapter.mount(createFixture().server, { maxMessageBytes: size });
    const above = await adapter.mount(createFixture().server, { maxBodyBytes: size - 1 });

    const answers = [await atLimit.send(request), await above.send(request)];

    await Promise.all([atLimit.close(), above.close()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 413]);
    expect(JSON.parse(answers[1]?.body ?? "").error.code).toBe(-32600);
  });

  test("counts bytes, not characters", async () => {
    const mounted = await adapter.mount(createFixture().server, { maxMessageBytes: 1_000 });
    const request = modern("tools/call", { name: "echo", arguments: { text: "é".repeat(600) } });

    const answer = await mounted.send(request);

    await mounted.close();
    expect(answer.status).toBe(413);
  });

  test("answers 500 without a word about a hook that throws, and reports it", async () => {
    const failures: unknown[] = [];
    const mounted = await adapter.mount(createFixture().server, {
      allowedOrigins: () => {
        throw new Error("secret");
      },
      onError: (error) => failures.push(error),
    });
    const request = modern("tools/list");

    const answer = await mounted.send({ ...request, headers: { ...request.headers, origin: "http://localhost" } });

    await mounted.close();
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(failures).toHaveLength(1);
  });

  test("answers 503 once the server is closed", async () => {
    const { server } = createFixture();
    const mounted = await adapter.mount(server);
    await server.close();

    const answers = [await mounted.send(modern("tools/list")), await mounted.send(legacy("tools/list"))];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });

  test("answers 503 to a call that the server's close ends", async () => {
    const { server, ran } = createFixture();
    const mounted = await adapter.mount(server);
    const owed = mounted.send(modern("tools/call", { name: "later", arguments: { ms: 1_000 } }));
    await vi.waitFor(() => expect(ran.count).toBe(1), { timeout: 5_000, interval: 5 });

    await server.close();

    const answer = await owed;
    await mounted.close();
    expect(answer.status).toBe(503);
    expect(answer.body).not.toContain("later");
  });
});
