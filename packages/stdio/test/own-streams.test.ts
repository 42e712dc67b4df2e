import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import type { MortiseError } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { expect, test, vi } from "vitest";
import { type StdioOptions, stdio } from "../src/index.js";
import { call, modern, pause } from "./stdio-process.js";

const LINE = (message: unknown): string => `${JSON.stringify(message)}\n`;

function createFixture(): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.tool("quick", {}, () => "quick");
  server.tool("never", {}, () => new Promise<string>(() => undefined));
  return server;
}

async function serve(options: StdioOptions = {}) {
  const server = createFixture();
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 1_000 });
  const errors: MortiseError[] = [];
  const info = await server.listen(stdio({ input, output, onError: (error) => void errors.push(error), ...options }));
  return { server, input, output, errors, info };
}

async function serveSocket(options: StdioOptions = {}) {
  const server = createFixture();
  const listener = createServer((socket) => void server.listen(stdio({ input: socket, output: socket, ...options })));
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
  return { server, socket, listener };
}

async function readLine(
  stream: PassThrough | Socket,
): Promise<{ id?: unknown; result?: unknown; error?: { code: number } }> {
  let text = "";
  while (!text.includes("\n")) {
    const chunk = stream.read();
    if (chunk === null) await once(stream, "readable");
    else text += String(chunk);
  }
  return JSON.parse(text);
}

test("serves on streams of the caller's own", async () => {
  const { input, output, info } = await serve();

  input.write(LINE(call(1, "quick")));
  const answer = await readLine(output);

  expect(info).toEqual({ transport: "stdio" });
  expect(answer).toMatchObject({ id: 1, result: { content: [{ text: "quick" }] } });
});

test("reads streams that give strings", async () => {
  const { input, output } = await serve();
  input.setEncoding("utf8");

  input.write(LINE(call(1, "quick")));

  await expect(readLine(output)).resolves.toMatchObject({ id: 1 });
});

test("serves on a socket", async () => {
  const { server, socket, listener } = await serveSocket();

  socket.write(LINE(call(1, "quick")));
  const answer = await readLine(socket);

  expect(answer).toMatchObject({ id: 1 });
  await server.close();
  socket.destroy();
  listener.close();
});

test("takes a drain time without end", async () => {
  const { server, socket, listener } = await serveSocket({ drainTimeout: Number.POSITIVE_INFINITY });

  socket.end(LINE(call(1, "quick")));
  const answer = await readLine(socket);

  expect(answer).toMatchObject({ id: 1 });
  await vi.waitFor(() => expect(server.closed).toBe(true));
  listener.close();
});

test("an explicit close takes off the listeners, pauses the input and leaves both streams open", async () => {
  const { server, input, output } = await serve();
  const streams = [input, output];

  await server.close();

  expect(streams.map((stream) => stream.destroyed || stream.writableEnded)).toEqual([false, false]);
  expect(streams.flatMap((stream) => ["data", "end", "drain"].map((name) => stream.listenerCount(name)))).toEqual([
    0, 0, 0, 0, 0, 0,
  ]);
  expect(streams.flatMap((stream) => ["error", "close"].map((name) => stream.listenerCount(name)))).toEqual([
    0, 0, 0, 0,
  ]);
  expect(input.isPaused()).toBe(true);
});

test("an explicit close drops the answers of calls under way", async () => {
  const { server, input, output } = await serve();
  input.write(LINE(call(1, "never")));
  await pause(20);

  await server.close();

  expect(output.read()).toBeNull();
});

test("the end of the input closes the server", async () => {
  const { server, input } = await serve();

  input.end();

  await vi.waitFor(() => expect(server.closed).toBe(true));
});

test("the end of the input leaves the process and the output alone", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never); // never reached
  const { server, input, output } = await serve();

  input.end();
  await vi.waitFor(() => expect(server.closed).toBe(true));
  await pause(600);

  expect(exit).not.toHaveBeenCalled();
  expect(output.writableEnded).toBe(false);
  exit.mockRestore();
});

test("a destroyed input ends it like an end, without what was cut off", async () => {
  const { server, input, output } = await serve();

  input.write(LINE(call(1, "quick")) + JSON.stringify(call(2, "quick")));
  await readLine(output);
  input.destroy();
  await vi.waitFor(() => expect(server.closed).toBe(true));

  expect(output.read()).toBeNull();
});

test("an input that has ended before ends it at once", async () => {
  const input = new PassThrough();
  input.resume().end();
  await once(input, "end");

  const { server } = await serve({ input });

  await vi.waitFor(() => expect(server.closed).toBe(true));
});

test("an output that was destroyed before ends it with the first answer", async () => {
  const output = new PassThrough();
  output.destroy();
  await once(output, "close");

  const { server, input } = await serve({ output });
  input.write(LINE(call(1, "quick")));

  await vi.waitFor(() => expect(server.closed).toBe(true));
});

test("a handler that reports more than anybody reads does not fill the memory, and its answer comes", async () => {
  const { server, input, output } = await serve();
  server.tool("eager", {}, async (_args, context) => {
    for (let step = 1; step <= 20_000; step += 1) void context.progress(step, undefined, "x".repeat(1_000));
    await pause(10);
    return "done";
  });

  input.write(LINE(call(1, "eager", {}, { progressToken: "p" })));
  await pause(100);
  const ids = readIds(output);

  await vi.waitFor(() => expect(ids.at(-1)).toBe(1));
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.length).toBeLessThan(3_000);
});

test("a failing input is reported and ends it", async () => {
  const { server, input, errors } = await serve();

  input.destroy(new Error("disk on fire"));
  await vi.waitFor(() => expect(server.closed).toBe(true));

  expect(errors).toMatchObject([{ code: "closed", cause: { message: "disk on fire" } }]);
});

test("a failing output is reported and ends it", async () => {
  const { server, input, output, errors } = await serve();

  output.destroy(new Error("disk full"));
  await vi.waitFor(() => expect(server.closed).toBe(true));

  expect(errors).toMatchObject([{ code: "closed", cause: { message: "disk full" } }]);
  expect(input.isPaused()).toBe(true);
});

test("the end of one pair of streams leaves the server open for another", async () => {
  const { server, input } = await serve();
  const second = { input: new PassThrough(), output: new PassThrough() };
  await server.listen(stdio(second));

  input.end();
  await pause(50);
  second.input.write(LINE(call(1, "quick")));

  await expect(readLine(second.output)).resolves.toMatchObject({ id: 1 });
  expect(server.closed).toBe(false);
});

test("stops reading while nobody takes the answers, and goes on when somebody does", async () => {
  const { server, input, output } = await serve();
  const ids = Array.from({ length: 50 }, (_, index) => index + 1);
  let calls = 0;
  server.tool("counted", {}, () => {
    calls += 1;
    return "x".repeat(100_000);
  });

  for (const id of ids) input.write(LINE(call(id, "counted")));
  await pause(50);
  const callsWhileBlocked = calls;
  const received = readIds(output);

  await vi.waitFor(() => expect(received).toEqual(ids));
  expect(callsWhileBlocked).toBeLessThan(5);
});

test("writes the answers of one tick in one go", async () => {
  const writes: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  const { input } = await serve({ output });

  input.write(Array.from({ length: 20 }, (_, id) => LINE(modern(id, "server/discover"))).join(""));
  await vi.waitFor(() => expect(writes.join("").split("\n")).toHaveLength(21));

  expect(writes).toHaveLength(1);
});

/** The ids of the answers on a stream, in the order they come. */
function readIds(output: PassThrough): unknown[] {
  const ids: unknown[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    ids.push(...lines.map((line) => JSON.parse(line).id));
  });
  return ids;
}
