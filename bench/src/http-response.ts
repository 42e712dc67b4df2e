const HEAD_END = "\r\n\r\n";
const NO_BYTES = Buffer.alloc(0);

/** Reads the answers of one keep-alive HTTP/1.1 connection, one at a time. */
export interface ResponseReader {
  /** Takes bytes in. Returns the body once the answer is complete, and throws when it is not a 200. */
  feed(chunk: Buffer): Buffer | undefined;
}

/** Knows Content-Length and chunked bodies, which is all that a server on this machine sends. */
export function createResponseReader(): ResponseReader {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wantedBytes = 0;

  return {
    feed(chunk) {
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes < wantedBytes) return undefined;
      const all = held.length === 1 ? chunk : Buffer.concat(held, heldBytes);
      const parsed = parseResponse(all);
      if (typeof parsed === "number") {
        held = [all];
        wantedBytes = parsed;
        return undefined;
      }
      held = [];
      heldBytes = 0;
      wantedBytes = 0;
      return parsed;
    },
  };
}

/** The body, or how many bytes are needed before another look is worthwhile. */
function parseResponse(bytes: Buffer): Buffer | number {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return 0;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  const start = end + HEAD_END.length;
  if (!head.startsWith("http/1.1 200"))
    throw new Error(`Expected status 200, received ${bytes.toString("latin1", 0, 400)}`);
  const lengthAt = head.indexOf("\ncontent-length:");
  if (lengthAt !== -1) {
    const total = start + Number.parseInt(head.slice(lengthAt + 16), 10);
    return bytes.length >= total ? bytes.subarray(start, total) : total;
  }
  if (!head.includes("chunked")) throw new Error(`Expected a body with a known end, received ${head}`);
  return joinChunks(bytes, start);
}

function joinChunks(bytes: Buffer, start: number): Buffer | number {
  const parts: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return 0;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (next > bytes.length) return next;
    if (size === 0) return parts.length === 1 ? (parts[0] ?? NO_BYTES) : Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
