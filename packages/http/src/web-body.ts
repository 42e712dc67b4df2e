import { decodeBytes } from "./decode-bytes.js";
import type { Body } from "./exchange.js";

const TOO_LARGE: Body = Object.freeze({ problem: "too_large" });
const CONSUMED: Body = Object.freeze({ problem: "consumed" });
const GONE: Body = Object.freeze({ problem: "gone" });
const EMPTY: Body = Object.freeze({ text: "" });

/** Reads a request's body as UTF-8, at most `limit` bytes of it. Never rejects. A byte order mark at its start is dropped. */
export async function readWebBody(request: Request, limit: number): Promise<Body> {
  if (request.bodyUsed || request.body?.locked === true) return CONSUMED;
  if (request.body === null) return EMPTY;
  const reader = request.body.getReader();
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > limit) {
        abandon(reader);
        return TOO_LARGE;
      }
      chunks.push(value);
    }
    return decodeBytes(join(chunks, size));
  } catch {
    return GONE; // a stream fails when its connection does
  }
}

/** Gives up the rest of a body. That this can fail, too, is nobody's concern any more. */
function abandon(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.cancel().catch(() => undefined);
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
