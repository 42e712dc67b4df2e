import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler, type HandlerOptions } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import { afterEach, describe, expect, test } from "vitest";
import { createFixture, modern } from "./fixture.js";
import { exchangeBytes, formatRequest } from "./raw-client.js";

const CALL = modern("tools/call", { name: "echo", arguments: {} });
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function start(options?: HandlerOptions): Promise<{ port: number; ran: { count: number } }> {
  const { server, ran } = createFixture();
  const handler = createNodeHttpHandler(server, options);
  const listener = createServer((request, response) => handler(request, response));
  servers.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return { port: (listener.address() as AddressInfo).port, ran };
}

interface Line {
  readonly target?: string;
  readonly version?: string;
  readonly more?: readonly [string, string][];
}

/** Calls with exactly the given `Host` headers. */
function call(port: number, hosts: readonly string[], { target = "/mcp", version = "1.1", more = [] }: Line = {}) {
  const headers: [string, string][] = [
    ...hosts.map((host): [string, string] => ["Host", host.replace("PORT", String(port))]),
    ["Connection", "close"],
    ...Object.entries(CALL.headers),
    ...more,
  ];
  return exchangeBytes(port, formatRequest(`POST ${target} HTTP/${version}`, headers, CALL.body));
}

describe("the Host check of a server on this machine", () => {
  test.each([
    "localhost:PORT",
    "127.0.0.1:PORT",
    "[::1]:PORT",
    "LOCALHOST:PORT",
    "127.1.2.3:PORT",
    "localhost",
    "localhost.",
    "localhost.:PORT",
  ])("lets %s in", async (host) => {
    const { port } = await start();

    const answer = await call(port, [host]);

    expect(answer.status).toBe(200);
  });

  test.each([
    "localhost:1",
    "evil.example:PORT",
    "evil.example",
    "127.0.0.1.nip.io:PORT",
    "localhost.evil.example:PORT",
    "localhost:PORT@evil.example",
    "user@localhost:PORT",
    "0.0.0.0:PORT",
    "2130706433:PORT",
    "127.0.0.256:PORT",
    "127.1:PORT",
    "[::2]:PORT",
    "::1:PORT",
    "localhost:",
    "localhost:PORT, localhost:PORT",
    "localhost..:PORT",
  ])("refuses %s with 403 and runs nothing", async (host) => {
    const { port, ran } = await start();

    const answer = await call(port, [host]);

    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body).error.message).toContain("allowedHosts");
    expect(ran.count).toBe(0);
  });

  test("refuses two Host headers, in either order", async () => {
    const { port, ran } = await start();

    const answers = [
      await call(port, ["localhost:PORT", "evil.example"]),
      await call(port, ["evil.example", "localhost:PORT"]),
      await call(port, ["localhost:PORT", "localhost:PORT"]),
    ];

    expect(answers.map(({ status }) => status >= 400 && status <= 403)).toEqual([true, true, true]);
    expect(ran.count).toBe(0);
  });

  test("refuses a request without a Host header", async () => {
    const { port, ran } = await start();

    const answers = [await call(port, []), await call(port, [], { version: "1.0" })];

    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(ran.count).toBe(0);
  });

  test("takes the host of an absolute request target, and refuses one that contradicts the header", async () => {
    const { port, ran } = await start();

    const answers = [
      await call(port, ["localhost:PORT"], { target: "http://evil.example/mcp" }),
      await call(port, ["evil.example"], { target: "http://evil.example/mcp" }),
      await call(port, ["evil.example"], { target: `http://localhost:${port}/mcp` }),
    ];
    const refusedAll = ran.count === 0;
    const agreeing = await call(port, ["localhost:PORT"], { target: `http://localhost:${port}/mcp?x=1` });

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(refusedAll).toBe(true);
    expect(agreeing.status).toBe(200);
  });

  test.each(["*", "//evil.example/mcp", "ftp://localhost/mcp"])(
    "finds nothing at the request target %s",
    async (target) => {
      const { port } = await start();

      const answer = await call(port, ["localhost:PORT"], { target });

      expect(answer.status).toBe(404);
    },
  );

  test("never believes what a proxy says about the host", async () => {
    const { port } = await start();

    const answer = await call(port, ["evil.example"], {
      more: [
        ["X-Forwarded-Host", "localhost"],
        ["X-Forwarded-For", "127.0.0.1"],
        ["Forwarded", "host=localhost"],
      ],
    });

    expect(answer.status).toBe(403);
  });

  test("judges each request by itself on one connection after another", async () => {
    const { port } = await start();

    const statuses: number[] = [];
    for (const host of ["localhost:PORT", "evil.example", "localhost:PORT", "evil.example"]) {
      statuses.push((await call(port, [host])).status);
    }

    expect(statuses).toEqual([200, 403, 200, 403]);
  });
});

describe("a list of hosts", () => {
  test.each([
    { host: "mcp.example.com", status: 200 },
    { host: "MCP.example.com:8443", status: 200 },
    { host: "api.example.com:444", status: 200 },
    { host: "api.example.com:443", status: 403 },
    { host: "api.example.com", status: 403 },
    { host: "localhost:PORT", status: 403 },
    { host: "mcp.example.com.evil.example", status: 403 },
  ])("answers $host with $status", async ({ host, status }) => {
    const { port } = await start({ allowedHosts: ["mcp.example.com", "api.example.com:444"] });

    const answer = await call(port, [host]);

    expect(answer.status).toBe(status);
  });

  test("takes this machine's names on every port where it holds loopback", async () => {
    const { port } = await start({ allowedHosts: ["loopback", "mcp.example.com"] });

    const answers = [
      await call(port, ["localhost:1"]),
      await call(port, ["[::1]"]),
      await call(port, ["evil.example"]),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403]);
  });

  test("is not looked at with a star", async () => {
    const { port } = await start({ allowedHosts: "*" });

    expect((await call(port, ["evil.example"])).status).toBe(200);
  });

  test("is applied by the web handler to the header, or to the address where there is none", async () => {
    const handler = createHttpHandler(createFixture().server, { allowedHosts: ["mcp.example.com"] });
    const send = (url: string, host?: string) =>
      handler(
        new Request(url, {
          method: "POST",
          body: CALL.body,
          headers: { ...CALL.headers, ...(host === undefined ? {} : { host }) },
        }),
      );

    const answers = [
      await send("https://mcp.example.com/mcp"),
      await send("https://evil.example/mcp"),
      await send("https://internal/mcp", "mcp.example.com"),
      await send("https://mcp.example.com/mcp", "evil.example"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200, 403]);
  });

  test("is automatic in the web handler only where the local address is told", async () => {
    const handler = createHttpHandler(createFixture().server);
    const request = () =>
      new Request("http://evil.example/mcp", { method: "POST", body: CALL.body, headers: CALL.headers });

    const answers = [
      await handler(request()),
      await handler.handle(request(), { localAddress: "::ffff:127.0.0.1" }),
      await handler.handle(request(), { localAddress: "10.0.0.1" }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 200]);
  });
});
