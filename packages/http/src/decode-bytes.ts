import type { Body } from "./exchange.js";

const DECODER = new TextDecoder("utf-8", { fatal: true });
const NOT_UTF8: Body = Object.freeze({ problem: "not_utf8" });

/** Decodes a whole body as UTF-8. A byte order mark at its start is dropped. */
export function decodeBytes(bytes: Uint8Array): Body {
  try {
    return { text: DECODER.decode(bytes) };
  } catch {
    return NOT_UTF8;
  }
}
