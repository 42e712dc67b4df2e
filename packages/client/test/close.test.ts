import { expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { createFakePipe } from "./fake-pipe.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

test("a call whose signal has aborted does not connect", async () => {
  const fake = await startFake(serveModern());
  const client = openClient(fake.url);
  expect(await failureOf(client.callTool("echo", {}, { signal: AbortSignal.abort() }))).toMatchObject({
    code: "aborted",
  });
  expect(fake.log).toEqual([]);
});

test("what is no signal is refused, and leaves nothing behind", async () => {
  const client = openClient((await startFake(serveModern())).url);
  const call = client.callTool("echo", {}, { signal: {} as AbortSignal });
  expect(await failureOf(call)).toMatchObject({ code: "invalid_options" });
});

test("a client that is closed while it connects can be connected again right away", async () => {
  const client = openClient((await startFake(serveModern())).url);
  const first = failureOf(client.connect());
  const closed = client.close();
  expect(await client.connect()).toMatchObject({ era: "modern" });
  await closed;
  expect(await first).toMatchObject({ code: "connection_closed" });
  expect(await client.callTool("echo", { text: "again" })).toMatchObject({ text: "again" });
});

test("the last of several closes and connects counts", async () => {
  const client = openClient((await startFake(serveModern())).url);
  const outcomes = [
    client.connect(),
    client.close(),
    client.connect(),
    client.close(),
    client.connect(),
    client.close(),
  ];
  await Promise.allSettled(outcomes);
  expect(await failureOf(client.ping())).toMatchObject({ code: "connection_closed" });
});

test("closing does not wait for a pipe that never starts", async () => {
  const pipe = { ...createFakePipe(() => undefined), start: () => new Promise<void>(() => undefined) };
  const client = openClient({ transport: pipe });
  client.connect().catch(() => undefined);
  await client.close();
});

test("a process that was being started is gone once the client is closed", async () => {
  const client = openClient({
    command: process.execPath,
    args: ["-e", "setInterval(() => {}, 1000)"],
    closeTimeout: 100,
  });
  const failure = failureOf(client.connect());
  await client.close();
  expect(await failure).toMatchObject({ code: "connection_closed" });
});
