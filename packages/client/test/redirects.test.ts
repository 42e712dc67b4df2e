import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

const SECRETS = { Authorization: "Bearer token-1", "X-Api-Key": "key-1" };

describe.each([
  ["kept-alive connections", undefined],
  ["fetch", globalThis.fetch],
])("redirects over %s", (_, fetch) => {
  test.each([301, 302, 303, 307, 308])(
    "HTTP %i to another origin is refused, naming it, and nothing reaches it",
    async (status) => {
      const decoy = await startFake(serveModern());
      const fake = await startFake((reply) =>
        reply.status(status, "", { location: `${decoy.url}?token=secret-query` }),
      );
      const client = openClient({ url: fake.url, headers: SECRETS, fetch });

      const error = await failureOf(client.connect());

      expect(error).toMatchObject({ code: "redirect_refused" });
      expect(error.message).toContain(`http://127.0.0.1:${decoy.port}`);
      expect(error.message).not.toContain("secret-query");
      expect(decoy.log).toEqual([]);
    },
  );

  test.each([307, 308])("HTTP %i within the origin is followed with everything", async (status) => {
    const serve = serveModern();
    const fake = await startFake((reply) => {
      if (reply.request.path === "/mcp") reply.status(status, "", { location: "/mcp/" });
      else serve(reply);
    });
    const client = openClient({ url: fake.url, headers: SECRETS, fetch });

    const { text } = await client.callTool("echo", { text: "hi" });

    const last = fake.log.at(-1);
    expect(text).toBe("hi");
    expect(last).toMatchObject({ method: "POST", path: "/mcp/" });
    expect(last?.headers).toMatchObject({ authorization: "Bearer token-1", "x-api-key": "key-1", "mcp-name": "echo" });
  });

  test("a permanent one is remembered", async () => {
    const serve = serveModern();
    const fake = await startFake((reply) => {
      if (reply.request.path === "/mcp") reply.status(308, "", { location: "/moved" });
      else serve(reply);
    });
    const client = openClient({ url: fake.url, fetch });

    await client.callTool("echo");

    expect(fake.log.map(({ path }) => path)).toEqual(["/mcp", "/moved", "/moved", "/moved"]);
  });

  test.each([301, 302, 303])("HTTP %i never turns a POST into a GET", async (status) => {
    const fake = await startFake((reply) => reply.status(status, "", { location: "/login" }));
    const client = openClient({ url: fake.url, fetch });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "redirect_refused" });
    expect(error.message).toContain("/login");
    expect(fake.log.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("a loop ends", async () => {
    const fake = await startFake((reply) => reply.status(307, "", { location: "/mcp" }));
    const client = openClient({ url: fake.url, fetch });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "redirect_refused" });
    expect(fake.log.length).toBeLessThanOrEqual(6);
  });

  test("one without a target is an error", async () => {
    const fake = await startFake((reply) => reply.status(307));
    const client = openClient({ url: fake.url, fetch });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "redirect_refused" });
  });
});

test("a given fetch that followed a redirect to another origin by itself is not believed", async () => {
  const decoy = await startFake(serveModern());
  const fake = await startFake((reply) => reply.status(307, "", { location: decoy.url }));
  const client = openClient({ url: fake.url, fetch: (input, init) => fetch(input, { ...init, redirect: "follow" }) });

  const error = await failureOf(client.connect());

  expect(error).toMatchObject({ code: "redirect_refused" });
});
