import { isAscii, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Body } from "@mortise/http/exchange";

const TOO_LARGE: Body = Object.freeze({ problem: "too_large" });
const NOT_UTF8: Body = Object.freeze({ problem: "not_utf8" });
const CONSUMED: Body = Object.freeze({ problem: "consumed" });
const GONE: Body = Object.freeze({ problem: "gone" });
const BYTE_ORDER_MARK = 0xfeff;

/** Reads a request's body as UTF-8, at most `limit` bytes of it. Never rejects. A byte order mark at its start is dropped. */
export function readNodeBody(request: IncomingMessage, limit: number): Promise<Body> {
  if (request.readableDidRead || request.readableEnded) return Promise.resolve(CONSUMED);
  if (request.destroyed) return Promise.resolve(GONE);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0; // what still comes is let through unread
      resolve(TOO_LARGE);
    });
    // The listeners live as long as the request, so the chunks are taken from them.
    request.on("end", () => resolve(decode(chunks.splice(0), size)));
    request.on("close", () => resolve(GONE));
    request.on("error", () => resolve(GONE));
  });
}

function decode(chunks: readonly Buffer[], size: number): Body {
  const [only] = chunks;
  const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
  if (isAscii(bytes)) return { text: bytes.toString("latin1") };
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = bytes.toString("utf8");
  return { text: text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text };
}
