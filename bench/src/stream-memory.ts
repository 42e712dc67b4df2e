import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Memory } from "./answering.js";
import { STREAM_KIB } from "./bars.js";
import type { Contender } from "./contender.js";
import { type Program, startProgram } from "./process.js";

const CONTENDERS: readonly Contender["name"][] = ["plain", "official", "tmcp", "mortise"];
/** Below the number of files that a process may open on most systems. */
const STREAMS = 800;
const SMOKE_STREAMS = 20;
const AT_ONCE = 20;
/** Few at once, since what they leave behind is used again by those that count. */
const WARM_UP = { rounds: 10, streams: 40 } as const;
const SETTLE_MS = 100;

const BODY = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "load", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

interface Footprint {
  readonly rss: number;
  readonly heapUsed: number;
}

/** Prints what an open stream of changes costs each implementation; false when ours takes more than the bar. */
export async function reportStreams(without: readonly string[], { smoke }: { smoke: boolean }): Promise<boolean> {
  const streams = smoke ? SMOKE_STREAMS : STREAMS;
  console.log(`\nmemory of an open subscriptions/listen stream, ${streams} of them (streams)`);
  let reached = true;
  for (const name of CONTENDERS.filter((contender) => !without.includes(contender))) {
    const { rss, heapUsed } = await measureStreams(name, streams);
    const judged = !smoke && name === "mortise";
    if (judged) reached = rss <= STREAM_KIB;
    const bar = judged ? `  bar ${STREAM_KIB} KiB ${reached ? "pass" : "MISS"}` : "";
    console.log(
      `${name.padEnd(10)} ${rss.toFixed(1).padStart(8)} KiB ${heapUsed.toFixed(1).padStart(8)} KiB of objects${bar}`,
    );
  }
  return reached;
}

/** KiB for each stream. */
async function measureStreams(name: Contender["name"], count: number): Promise<Footprint> {
  const program = startProgram(`servers/http-${name}.js`, ["greet"]);
  try {
    const port = await program.ask<number>({ ask: "port" });
    for (let round = 0; round < WARM_UP.rounds; round += 1) await close(await openStreams(port, WARM_UP.streams));
    const before = await readMemory(program);
    const sockets = await openStreams(port, count);
    const after = await readMemory(program);
    await close(sockets);
    const share = (bytes: number): number => bytes / count / 1024;
    return { rss: share(after.rss - before.rss), heapUsed: share(after.heapUsed - before.heapUsed) };
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await program.stop();
  }
}

function readMemory(program: Program): Promise<Memory> {
  return program.ask<Memory>({ ask: "memory" });
}

async function openStreams(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count)
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openStream(port)))));
  return sockets;
}

/** Opens one stream and waits for its acknowledgement. */
async function openStream(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  socket.write(`${createHead(port)}${BODY}`);
  let text = "";
  while (!text.includes("notifications/subscriptions/acknowledged")) {
    const [chunk] = (await once(socket, "data")) as [Buffer]; // the event's only argument
    text += chunk.toString();
    if (/^HTTP\/1\.1 [45]/.test(text)) throw new Error(`Expected a stream, received ${text.slice(0, 300)}`);
  }
  return socket;
}

function createHead(port: number): string {
  const lines = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: subscriptions/listen",
    `Content-Length: ${BODY.length}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Leaves, and gives the server time to notice. */
async function close(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
