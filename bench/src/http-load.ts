import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type AnswerCheck, createAnswerCheck, readMessages } from "./answer-check.js";
import type { Contender, Running, Slice } from "./contender.js";
import { createResponseReader } from "./http-response.js";
import { startProgram } from "./process.js";
import { checkAnswer, createHead, createRequest, type Era, FIRST_ID } from "./requests.js";
import type { Scenario } from "./scenario.js";

const MAX_CALLS = 200_000;

/** What is asked of an HTTP server, and how many requests are open at once. */
export interface HttpLoad {
  readonly scenario: Scenario;
  readonly era: Era;
  readonly inFlight: number;
}

interface Target extends HttpLoad {
  readonly check: AnswerCheck;
  readonly send: (socket: Socket, id: number) => void;
}

/** Loads an HTTP server in its own process over keep-alive sockets, each with one request at a time. */
export function createHttpContender(name: Contender["name"], load: HttpLoad): Contender {
  return {
    name,
    async start() {
      const program = startProgram(`servers/http-${name}.js`, [load.scenario]);
      const port = await program.ask<number>({ ask: "port" });
      const target = createTarget(load, port);
      return {
        stop: () => program.stop(),
        slice: (ms) => runSlice(target, port, ms, () => program.ask<number>({ ask: "cpu" })),
      } satisfies Running;
    },
  };
}

function createTarget(load: HttpLoad, port: number): Target {
  const { scenario, era } = load;
  const text = createRequest(scenario, era);
  const head = createHead(scenario, era, port, text.before.length + String(FIRST_ID).length + text.after.length);
  const before = head + text.before;
  const check = createAnswerCheck((id, body) => checkAnswer(scenario, era, id, readMessages(body)));
  return { ...load, check, send: (socket, id) => socket.write(`${before}${id}${text.after}`, "latin1") };
}

async function runSlice(target: Target, port: number, ms: number, readCpu: () => Promise<number>): Promise<Slice> {
  const sockets = await Promise.all(Array.from({ length: target.inFlight }, () => openSocket(port)));
  const cpuBefore = await readCpu();
  const started = performance.now();
  const state = { nextId: FIRST_ID, ends: started + ms };
  try {
    const counts = await Promise.all(sockets.map((socket) => driveSocket(socket, target, state)));
    const elapsedMs = performance.now() - started;
    const cpuUs = (await readCpu()) - cpuBefore;
    return { calls: counts.reduce((sum, count) => sum + count, 0), elapsedMs, cpuUs };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}

function driveSocket(socket: Socket, target: Target, state: { nextId: number; ends: number }): Promise<number> {
  const reader = createResponseReader();
  let calls = 0;
  let id = 0;
  return new Promise((resolve, reject) => {
    function next(): void {
      if (performance.now() >= state.ends || state.nextId - FIRST_ID >= MAX_CALLS) {
        resolve(calls);
        return;
      }
      id = state.nextId;
      state.nextId += 1;
      target.send(socket, id);
    }
    socket.on("data", (chunk: Buffer) => {
      try {
        const body = reader.feed(chunk);
        if (body === undefined) return;
        target.check.check(id, body);
        calls += 1;
        next();
      } catch (error) {
        reject(error);
      }
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("Expected the server to keep the connection open")));
    next();
  });
}
