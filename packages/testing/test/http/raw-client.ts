import { connect, type Socket } from "node:net";

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; several values joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Opens a connection to this machine. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => resolve(socket));
    socket.once("error", reject);
  });
}

/** Writes bytes and reads until the other end closes. */
export async function exchangeBytes(port: number, bytes: Uint8Array | string): Promise<RawAnswer> {
  const socket = await openSocket(port);
  socket.on("error", () => undefined);
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parseAnswer(Buffer.concat(chunks));
}

/** Builds the bytes of a request. A `content-length` is added for a body unless one is given. */
export function formatRequest(
  line: string,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array | string = "",
): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const length =
    names.has("content-length") || names.has("transfer-encoding") ? [] : [`Content-Length: ${bytes.length}`];
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`), ...length, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

/** Reads an answer's bytes. */
export function parseAnswer(bytes: Buffer): RawAnswer {
  const split = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes.subarray(0, split).toString("latin1").split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const raw = bytes.subarray(split + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? joinChunks(raw) : raw;
  return { status: Number(statusLine.split(" ")[1]), headers, body: body.toString("utf8") };
}

function joinChunks(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = raw.indexOf("\r\n", at);
    if (lineEnd === -1) break;
    const size = Number.parseInt(raw.subarray(at, lineEnd).toString("latin1"), 16);
    if (size === 0) break;
    parts.push(raw.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
