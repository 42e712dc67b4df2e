import { isAscii, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Body } from "@mortise/http/exchange";

const TOO_LARGE: Body = Object.freeze({ problem: "too_large" });
const NOT_UTF8: Body = Object.freeze({ problem: "not_utf8" });
const CONSUMED: Body = Object.freeze({ problem: "consumed" });
const GONE: Body = Object.freeze({ problem: "gone" });
const BYTE_ORDER_MARK = 0xfeff;

/** What is being read of a request. It hangs on the request itself, so that all requests share their listeners. */
interface Reading {
  readonly limit: number;
  readonly chunks: Buffer[];
  size: number;
  readonly resolve: (body: Body) => void;
}

const READING: unique symbol = Symbol("reading");

interface ReadRequest extends IncomingMessage {
  [READING]?: Reading | undefined;
}

/** Reads a request's body as UTF-8, at most `limit` bytes of it. Never rejects. A byte order mark at its start is dropped. */
export function readNodeBody(request: ReadRequest, limit: number): Promise<Body> {
  if (request.readableDidRead || request.readableEnded) return Promise.resolve(CONSUMED);
  if (request.destroyed) return Promise.resolve(GONE);
  return new Promise((resolve) => {
    request[READING] = { limit, chunks: [], size: 0, resolve };
    request.on("data", takeChunk).on("end", takeEnd).on("close", takeLoss).on("error", takeLoss);
  });
}

function takeChunk(this: ReadRequest, chunk: Buffer): void {
  const reading = this[READING];
  if (reading === undefined) return; // what still comes is let through unread
  reading.size += chunk.length;
  if (reading.size <= reading.limit) reading.chunks.push(chunk);
  else settle(this, TOO_LARGE);
}

function takeEnd(this: ReadRequest): void {
  const reading = this[READING];
  if (reading !== undefined) settle(this, decode(reading.chunks, reading.size));
}

function takeLoss(this: ReadRequest): void {
  settle(this, GONE);
}

/** The request may be there for long, while its answer goes on; what was read of it is not needed by then. */
function settle(request: ReadRequest, body: Body): void {
  request[READING]?.resolve(body);
  request[READING] = undefined;
}

function decode(chunks: readonly Buffer[], size: number): Body {
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
  if (isAscii(bytes)) return { text: bytes.toString("latin1") };
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = bytes.toString("utf8");
  return { text: text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text };
}
