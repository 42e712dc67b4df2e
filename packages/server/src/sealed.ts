import type { ErrorObject, RequestId } from "@mortise/core";

/** One answer, ready for the wire. */
export interface Sealed {
  /** The whole JSON-RPC response as JSON text. */
  readonly text: string;
  /** The HTTP status it has, where the transport has one. */
  readonly status: number;
}

/** Serializes an error answer; without an id, the member is left out. */
export function sealError(id: RequestId | undefined, error: ErrorObject, status: number): Sealed {
  const head = id === undefined ? '{"jsonrpc":"2.0","error":' : `{"jsonrpc":"2.0","id":${encodeId(id)},"error":`;
  return { text: `${head}${JSON.stringify(error)}}`, status };
}

/** The JSON text of a request id. */
export function encodeId(id: RequestId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}
