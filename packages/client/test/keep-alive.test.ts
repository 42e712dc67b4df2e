import type { Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient, pause } from "./open-client.js";
import { modernRaw, sendJson, startRaw } from "./raw-http.js";

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

describe("connections on Node", () => {
  test("are kept for the next request", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

    for (let at = 0; at < 10; at += 1) await client.callTool("echo", { text: "hi" });

    expect(fake.connections()).toBe(1);
  });

  test("are as many as there are requests at once", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);
    await client.connect();

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) => client.callTool("echo", { text: String(at) })),
    );

    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, at) => String(at)));
    expect(fake.connections()).toBeLessThanOrEqual(21);
  });

  test("that the server closed while idle are replaced without the caller noticing", async () => {
    const raw = await startRaw((socket, request) => {
      // Every connection serves one request, and is cut as the next one arrives: the worst moment.
      if (served.has(socket)) return void socket.resetAndDestroy();
      served.add(socket);
      if (request.method === "tools/call")
        sendJson(socket, { jsonrpc: "2.0", id: request.id, result: { content: [{ type: "text", text: "ok" }] } });
      else modernRaw(() => undefined)(socket, request);
    });
    const served = new Set<Socket>();
    const client = openClient(raw.url);

    const results = [await client.callTool("x"), await client.callTool("x"), await client.callTool("x")];

    expect(results.map(({ text }) => text)).toEqual(["ok", "ok", "ok"]);
  });

  test("that break after the answer began are not tried again", async () => {
    let calls = 0;
    const raw = await startRaw(
      modernRaw((socket) => {
        calls += 1;
        socket.write("HTTP/1.1 200 OK\r\n", () => setTimeout(() => socket.resetAndDestroy(), 20));
      }),
    );
    const client = openClient(raw.url);
    await client.connect();

    const error = await failureOf(client.callTool("x"));

    expect(error).toMatchObject({ name: "MortiseError" });
    expect(calls).toBeLessThanOrEqual(2);
  });

  test("that were never used before are not tried again", async () => {
    let tries = 0;
    const raw = await startRaw((socket) => {
      tries += 1;
      socket.resetAndDestroy();
    });
    const client = openClient(raw.url);

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed" });
    expect(tries).toBe(1);
  });

  test("survive a server with a short idle time", async () => {
    const fake = await startFake(serveModern(), { keepAliveTimeout: 30 });
    const client = openClient(fake.url);
    await client.connect();

    for (let at = 0; at < 4; at += 1) {
      await pause(25 + at * 5);
      await client.callTool("echo", { text: "hi" });
    }

    expect(client.tools).toHaveLength(1);
  });

  test("over TLS fail with their cause when the server does not speak it", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url.replace("http:", "https:"));

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed" });
    expect(error.cause).toHaveProperty("code");
    expect(fake.log).toEqual([]);
  });

  test("over TLS can be given up before they are opened", async () => {
    const client = openClient("https://127.0.0.1:9/mcp");
    const connecting = failureOf(client.connect());

    await client.close();

    expect(await connecting).toMatchObject({ name: "MortiseError" });
  });

  test("are closed with the client", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);
    await client.connect();

    await client.close();

    await expect.poll(() => fake.sockets.size).toBe(0);
  });

  test.runIf(hasIpv6)("can reach an IPv6 address", async () => {
    const fake = await startFake(serveModern(), { host: "::1" });
    const client = openClient(fake.url);

    const server = await client.connect();

    expect(server.era).toBe("modern");
  });
});

describe("closing", () => {
  test("rejects calls on their way, and later ones until it is opened again", async () => {
    const fake = await startFake(serveModern({ "tools/call": () => undefined }));
    const client = openClient(fake.url);
    await client.connect();

    const call = failureOf(client.callTool("x"));
    await expect.poll(() => fake.methods().at(-1)).toBe("tools/call");
    await client.close();

    expect(await call).toMatchObject({ code: "connection_closed" });
    expect(await failureOf(client.callTool("x"))).toMatchObject({ code: "connection_closed" });
    expect((await client.connect()).era).toBe("modern");
  });

  test("does not wait for a handshake that never ends", async () => {
    const fake = await startFake(() => undefined);
    const client = openClient(fake.url);
    const connecting = failureOf(client.connect());
    await expect.poll(() => fake.log.length).toBe(1);

    const startedAt = performance.now();
    await client.close();

    expect(await connecting).toMatchObject({ code: "connection_closed" });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test("can be done twice, and before connecting", async () => {
    const client = openClient("http://127.0.0.1:9/mcp");

    await client.close();

    await expect(client.close()).resolves.toBeUndefined();
  });
});
