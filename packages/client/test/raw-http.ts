import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { pause } from "./open-client.js";

/** One request as its bytes arrived: the head as text, the body as text. */
export interface RawRequest {
  readonly head: string;
  readonly body: string;
  readonly id: number;
  readonly method: string;
}

export interface RawServer {
  readonly url: string;
  readonly log: RawRequest[];
  /** Resolves once the client has closed a connection. */
  readonly hungUp: Promise<void>;
}

/** Starts a server that answers with exact bytes. Requests are read by their Content-Length. */
export async function startRaw(answer: (socket: Socket, request: RawRequest) => void): Promise<RawServer> {
  const log: RawRequest[] = [];
  const sockets = new Set<Socket>();
  let hangUp = (): void => undefined;
  const hungUp = new Promise<void>((resolve) => {
    hangUp = resolve;
  });
  const server = createServer((socket) => {
    let pending = "";
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      hangUp();
    });
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      for (let request = cut(); request !== undefined; request = cut()) {
        log.push(request);
        answer(socket, request);
      }
    });
    function cut(): RawRequest | undefined {
      const end = pending.indexOf("\r\n\r\n");
      if (end < 0) return undefined;
      const head = pending.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return undefined;
      const body = pending.slice(end + 4, end + 4 + length);
      pending = pending.slice(end + 4 + length);
      const message = body === "" ? {} : (JSON.parse(body) as { id?: number; method?: string });
      return { head, body, id: message.id ?? 0, method: message.method ?? "" };
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, log, hungUp };
}

/** Answers discovery and an empty list of tools as JSON, and leaves everything else to the script. */
export function modernRaw(
  script: (socket: Socket, request: RawRequest) => void,
): (socket: Socket, request: RawRequest) => void {
  return (socket, request) => {
    if (request.method === "server/discover") {
      sendJson(socket, {
        jsonrpc: "2.0",
        id: request.id,
        result: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      });
    } else if (request.method === "tools/list") {
      sendJson(socket, { jsonrpc: "2.0", id: request.id, result: { resultType: "complete", tools: [] } });
    } else script(socket, request);
  };
}

export function sendJson(socket: Socket, message: unknown): void {
  const body = JSON.stringify(message);
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export const STREAM_HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";

/** Writes bytes cut into pieces of the given size, each in a packet of its own. */
export async function sendPieces(socket: Socket, text: string, size: number): Promise<void> {
  socket.setNoDelay(true);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.subarray(at, at + size));
    await pause(0);
  }
}
