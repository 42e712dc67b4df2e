import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { demand, formatBytes } from "./checks.js";
import type { Sent } from "./messages.js";
import type { Shown } from "./subject.js";

/** An answer that is read no further than was asked for. */
export interface Unread {
  readonly socket: Socket;
  /** What was read. */
  readonly text: string;
}

/** What one stream may hold for a reader that does not read. */
const BOUND = 12_582_912;

/** Sends a request and reads nothing of the answer, or just as much as it takes to find a text in it. */
export async function openUnread(port: number, sent: Sent, until = ""): Promise<Unread> {
  const { method = "POST", path = "/mcp", headers, body = "" } = sent;
  const socket = connect({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  socket.on("error", () => undefined); // the server may end it
  const length = { host: `127.0.0.1:${port}`, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  socket.pause();
  socket.write([`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  socket.write(body);
  let text = "";
  while (!text.includes(until)) {
    await once(socket, "readable");
    text += String(socket.read() ?? "");
  }
  return { socket, text };
}

/** Throws where too much is held for a reader, or left once it has gone. Gives a line of both. */
export function demandLittle(before: Shown, during: Shown, after: Shown): string {
  const [held, left] = [during.held - before.held, after.held - before.held];
  const line = `${formatBytes(held)} held, ${formatBytes(left)} once it left`;
  demand(held < BOUND && left < BOUND, `Expected at most ${formatBytes(BOUND)}: ${line}`);
  demand(after.calls === 0, "Expected no call to be left");
  return line;
}
