import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeHttpHandler, type NodeHandlerOptions } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createFixture, legacy, modern } from "./fixture.js";
import { exchangeBytes, formatRequest, openSocket, parseAnswer } from "./raw-client.js";

const servers: Server[] = [];
const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));

afterEach(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  expect(strays).toEqual([]);
});

type Before = (request: IncomingMessage, response: ServerResponse, go: () => void) => void;

async function start(
  server: MCPServer,
  options?: NodeHandlerOptions,
  before: Before = (_, __, go) => go(),
): Promise<number> {
  const handler = createNodeHttpHandler(server, options);
  const listener = createServer((request, response) => before(request, response, () => handler(request, response)));
  servers.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return (listener.address() as AddressInfo).port;
}

function toBytes(
  { headers, body }: { headers: Record<string, string>; body: string },
  { version = "1.1", more = {} }: { version?: string; more?: Record<string, string> } = {},
): Buffer {
  const all = Object.entries({ host: "localhost", ...headers, ...more });
  return formatRequest(`POST /mcp HTTP/${version}`, all, body);
}

/** Waits until an assertion holds, on a machine however busy. */
const until = (assertion: () => void) => vi.waitFor(assertion, { timeout: 8_000, interval: 10 });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A tool that counts its own steps until it is told to stop. */
function addStepper(server: MCPServer): { steps: number; aborted: boolean; finished: boolean } {
  const seen = { steps: 0, aborted: false, finished: false };
  server.tool("step", {}, async (_, context) => {
    const { signal } = context;
    while (seen.steps < 12 && !signal.aborted) {
      await wait(25);
      seen.steps += 1;
      await context.progress(seen.steps);
    }
    seen.aborted = signal.aborted;
    seen.finished = true;
    return "stepped";
  });
  return seen;
}

describe("a caller that leaves", () => {
  test.each([
    { title: "over HTTP/1.1", version: "1.1", more: { connection: "keep-alive" } },
    { title: "over HTTP/1.0", version: "1.0", more: {} },
  ])("aborts its modern call $title, and the next one is served", async ({ version, more }) => {
    const { server } = createFixture();
    const seen = addStepper(server);
    const port = await start(server);
    const request = modern("tools/call", { name: "step", arguments: {} }, { meta: { progressToken: 1 } });
    const socket = await openSocket(port);
    socket.write(toBytes(request, { version, more }));
    await until(() => expect(seen.steps).toBeGreaterThan(0));

    socket.destroy();
    await until(() => expect(seen.finished).toBe(true));

    expect(seen.aborted).toBe(true);
    expect(seen.steps).toBeLessThan(12);
    expect((await exchangeBytes(port, toBytes(modern("tools/list"), { more: { connection: "close" } }))).status).toBe(
      200,
    );
  });

  test("aborts a modern call that has sent nothing yet", async () => {
    const { server } = createFixture();
    let started = false;
    let aborted = false;
    server.tool("wait", {}, (_, { signal }) => {
      started = true;
      return new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          resolve("gone");
        });
      });
    });
    const port = await start(server);
    const socket = await openSocket(port);
    socket.write(toBytes(modern("tools/call", { name: "wait", arguments: {} })));
    await until(() => expect(started).toBe(true));

    socket.destroy();

    await until(() => expect(aborted).toBe(true));
  });

  test("takes no call of another caller with it, though both have the same id", async () => {
    const { server } = createFixture();
    const ended: string[] = [];
    server.tool("who", {}, async (_, context) => {
      const caller = String(context.header("x-caller"));
      while (!context.signal.aborted && ended.length === 0) await wait(5);
      ended.push(`${caller} ${context.signal.aborted ? "aborted" : "answered"}`);
      return caller;
    });
    const port = await start(server);
    const request = modern("tools/call", { name: "who", arguments: {} });
    const leaving = await openSocket(port);
    leaving.write(toBytes(request, { more: { "x-caller": "first" } }));
    const staying = exchangeBytes(port, toBytes(request, { more: { "x-caller": "second", connection: "close" } }));
    await wait(50);

    leaving.destroy();

    expect(JSON.parse((await staying).body).result.content[0].text).toBe("second");
    expect(ended).toEqual(["first aborted", "second answered"]);
  });

  test.each([
    { title: "goes on with its legacy call", options: {}, aborted: false },
    {
      title: "aborts its legacy call where the option says so",
      options: { onDisconnect: { legacy: "abort" } },
      aborted: true,
    },
  ] as const)("$title", async ({ options, aborted }) => {
    const { server } = createFixture();
    const seen = addStepper(server);
    const port = await start(server, options);
    const socket = await openSocket(port);
    socket.write(toBytes(legacy("tools/call", { name: "step", arguments: {}, _meta: { progressToken: 1 } })));
    await until(() => expect(seen.steps).toBeGreaterThan(0));

    socket.destroy();
    await until(() => expect(seen.finished).toBe(true));

    expect(seen.aborted).toBe(aborted);
    expect(seen.steps === 12).toBe(!aborted);
  });

  test("goes on with its modern call where the option says so", async () => {
    const { server } = createFixture();
    const seen = addStepper(server);
    const port = await start(server, { onDisconnect: { modern: "continue" } });
    const socket = await openSocket(port);
    socket.write(toBytes(modern("tools/call", { name: "step", arguments: {} }, { meta: { progressToken: 1 } })));
    await until(() => expect(seen.steps).toBeGreaterThan(0));

    socket.destroy();
    await until(() => expect(seen.finished).toBe(true));

    expect(seen).toMatchObject({ steps: 12, aborted: false });
  });

  test("in the middle of its body is forgotten", async () => {
    const { server, ran } = createFixture();
    const port = await start(server);
    const bytes = toBytes(modern("tools/call", { name: "echo", arguments: {} }));
    const socket = await openSocket(port);
    socket.write(bytes.subarray(0, bytes.length - 10));
    await wait(50);

    socket.destroy();
    await wait(50);

    expect(ran.count).toBe(0);
    expect((await exchangeBytes(port, toBytes(modern("tools/list"), { more: { connection: "close" } }))).status).toBe(
      200,
    );
  });
});

describe("a body over the wire", () => {
  test("may come in pieces, cut inside a character", async () => {
    const port = await start(createFixture().server);
    const request = modern("tools/call", { name: "echo", arguments: { text: "größe 🙂" } });
    const bytes = toBytes(request, { more: { connection: "close" } });
    const socket = await openSocket(port);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));

    for (const byte of bytes) {
      socket.write(Buffer.from([byte]));
      if (byte > 0x7f) await wait(1);
    }

    await new Promise((resolve) => socket.on("close", resolve));
    expect(parseAnswer(Buffer.concat(chunks)).body).toContain("größe 🙂");
  });

  test("may be chunked, and is counted while it comes", async () => {
    const port = await start(createFixture().server, { maxMessageBytes: 2_000 });
    const { headers, body } = modern("tools/list");
    const send = (text: string) =>
      exchangeBytes(
        port,
        formatRequest(
          "POST /mcp HTTP/1.1",
          Object.entries({ host: "localhost", connection: "close", ...headers, "transfer-encoding": "chunked" }),
          `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
        ),
      );

    const answers = [await send(body), await send(body + " ".repeat(2_000))];

    expect(answers.map(({ status }) => status)).toEqual([200, 413]);
    expect(answers[1]?.headers.get("connection")).toBe("close");
  });

  test("that is declared too large is answered before it comes, and the connection closed", async () => {
    const { server, ran } = createFixture();
    const port = await start(server);
    const request = modern("tools/call", { name: "echo", arguments: {} });

    const answer = await exchangeBytes(
      port,
      formatRequest(
        "POST /mcp HTTP/1.1",
        Object.entries({ host: "localhost", ...request.headers, "content-length": "1048577" }),
      ),
    );

    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(ran.count).toBe(0);
  });

  test("that is too large does not take the answer with it while it still comes", async () => {
    const port = await start(createFixture().server);
    const body = "x".repeat(3_000_000);
    const { headers } = modern("tools/list");
    const socket = await openSocket(port);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    const failures: Error[] = [];
    socket.on("error", (error) => failures.push(error));

    socket.write(formatRequest("POST /mcp HTTP/1.1", Object.entries({ host: "localhost", ...headers }), body));
    await new Promise((resolve) => socket.on("close", resolve));

    expect(parseAnswer(Buffer.concat(chunks)).status).toBe(413);
    expect(failures).toEqual([]);
  });

  test("that somebody else has read is refused with a hint, and reported nowhere as the caller's fault", async () => {
    const { server, ran } = createFixture();
    const port = await start(server, {}, (request, _, go) => {
      request.resume();
      request.on("end", go);
    });

    const answer = await exchangeBytes(
      port,
      toBytes(modern("tools/call", { name: "echo", arguments: {} }), { more: { connection: "close" } }),
    );

    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining("body parsers"),
    });
    expect(ran.count).toBe(0);
  });

  test("that was parsed before is taken as it is", async () => {
    const port = await start(createFixture().server, {}, (request, _, go) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        Object.assign(request, { body: JSON.parse(Buffer.concat(chunks).toString()) });
        go();
      });
    });

    const answer = await exchangeBytes(
      port,
      toBytes(modern("tools/call", { name: "echo", arguments: { text: "parsed" } }), { more: { connection: "close" } }),
    );

    expect(JSON.parse(answer.body).result.content[0].text).toBe("parsed");
  });
});

describe("an answer over the wire", () => {
  test.each([200_000, 1_000_000])("is whole at %i characters, in ASCII and beyond", async (size) => {
    const { server } = createFixture();
    server.tool("large", {}, () => "a".repeat(size));
    server.tool("wide", {}, () => "é".repeat(size));
    const port = await start(server);
    const call = (name: string) =>
      exchangeBytes(port, toBytes(modern("tools/call", { name, arguments: {} }), { more: { connection: "close" } }));

    const answers = [await call("large"), await call("wide")];

    expect(answers.map(({ body }) => JSON.parse(body).result.content[0].text.length)).toEqual([size, size]);
    expect(Number(answers[1]?.headers.get("content-length"))).toBe(Buffer.byteLength(answers[1]?.body ?? ""));
  });

  test("waits for a caller that reads slowly", async () => {
    const { server } = createFixture();
    let sent = 0;
    server.tool("flood", {}, async (_, context) => {
      for (let step = 1; step <= 300; step += 1) {
        await context.progress(step, 300, "x".repeat(50_000));
        sent = step;
      }
      return "done";
    });
    const port = await start(server);
    const socket = await openSocket(port);
    socket.pause();
    socket.write(
      toBytes(modern("tools/call", { name: "flood", arguments: {} }, { meta: { progressToken: 1 } }), {
        more: { connection: "close" },
      }),
    );
    await wait(300);
    const sentWhilePaused = sent;

    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.resume();
    await new Promise((resolve) => socket.on("close", resolve));

    expect(sentWhilePaused).toBeLessThan(300);
    expect(sent).toBe(300);
    expect(parseAnswer(Buffer.concat(chunks)).body.match(/notifications\/progress/g)).toHaveLength(300);
  });

  test("follows another on the same connection", async () => {
    const port = await start(createFixture().server);
    const socket = await openSocket(port);
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });

    socket.write(
      Buffer.concat([toBytes(modern("tools/list")), toBytes(modern("tools/call", { name: "later", arguments: {} }))]),
    );

    await until(() => expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2));
    socket.destroy();
  });

  test("carries what a framework has set before", async () => {
    const port = await start(createFixture().server, {}, (_, response, go) => {
      response.setHeader("X-Powered-By", "tests");
      go();
    });

    const answer = await exchangeBytes(port, toBytes(modern("tools/list"), { more: { connection: "close" } }));

    expect(answer.headers.get("x-powered-by")).toBe("tests");
    expect(answer.headers.get("content-type")).toBe("application/json");
  });
});
