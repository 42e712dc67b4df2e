import { type ErrorObject, isJsonRpcError, type JsonObject, type RequestId, RPC } from "@mortise/core";

/** One answer, ready for the wire. */
export interface Sealed {
  /** The whole JSON-RPC response as JSON text. */
  readonly text: string;
  /** The HTTP status it has, where the transport has one. */
  readonly status: number;
  /** The same answer as a short beginning and an end that many answers share, where there is one worth keeping as bytes. */
  readonly kept?: { readonly head: string; readonly tail: SharedTail } | undefined;
}

/** From how many characters on the end of an answer is kept as bytes. */
const WORTH_KEEPING = 4096;
const ENCODER = new TextEncoder();

/** The end of an answer that many answers share: encoded once, when the first transport wants bytes. */
export class SharedTail {
  readonly text: string;
  #bytes: Uint8Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= ENCODER.encode(this.text);
    return this.#bytes;
  }
}

/** An answer whose end is shared. Its whole text is only joined for those who ask for it. */
class KeptSealed implements Sealed {
  readonly status = 200;
  readonly kept: { readonly head: string; readonly tail: SharedTail };

  constructor(head: string, tail: SharedTail) {
    this.kept = { head, tail };
  }

  get text(): string {
    return this.kept.head + this.kept.tail.text;
  }
}

/** Answers a request with a result whose text is kept. */
export function sealShared(id: RequestId, tail: SharedTail): Sealed {
  const head = `{"jsonrpc":"2.0","id":${encodeId(id)}`;
  return tail.text.length < WORTH_KEEPING ? { text: head + tail.text, status: 200 } : new KeptSealed(head, tail);
}

/** Serializes an error answer; without an id, the member is left out. */
export function sealError(id: RequestId | undefined, error: ErrorObject, status: number): Sealed {
  const head = id === undefined ? '{"jsonrpc":"2.0","error":' : `{"jsonrpc":"2.0","id":${encodeId(id)},"error":`;
  return { text: `${head}${JSON.stringify(error)}}`, status };
}

/** What a caller is told of a failure: what was thrown to be sent, and of anything else nothing. */
export function toErrorObject(error: unknown): ErrorObject {
  if (!isJsonRpcError(error)) return { code: RPC.internalError, message: "Internal error" };
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

/** The JSON text of a result. Throws `TypeError` for an object that chooses another form in JSON. */
export function encodeResult(result: JsonObject): string {
  const text = JSON.stringify(result);
  if (!text.startsWith("{")) throw new TypeError("Expected a result that JSON holds as an object");
  return text;
}

/** The JSON text of a request id. */
export function encodeId(id: RequestId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
