import { type ErrorCode, MortiseError } from "@mortise/core";
import type { Link } from "./link.js";

/** Failures that say more than that an older transport is missing. */
const TELLING: ReadonlySet<ErrorCode> = new Set([
  "unauthorized",
  "connection_closed",
  "login_required",
  "login_denied",
  "login_failed",
  "address_refused",
]);

/** A server that did not take the newer transport, and one that may be there. */
export interface OlderTransport {
  readonly refused: Link;
  open(): Promise<Link>;
  /** How the server refused the newer transport; `undefined` where that was not tried. */
  readonly refusal: Error | undefined;
}

/** Goes on with the transport of 2024-11-05. A server without it has said more when it refused the newer one. */
export async function takeOlderTransport({ refused, open, refusal }: OlderTransport): Promise<Link> {
  let link: Link;
  try {
    link = await open();
  } catch (error) {
    if (refusal === undefined || saysMore(error)) throw error;
    throw refusal;
  }
  await refused.close(new MortiseError("connection_closed", "The server has another transport"));
  return link;
}

/** Tells whether a server was there, and gave something else than the stream that was asked for. */
export function isAnswer(error: unknown): boolean {
  return error instanceof MortiseError && (error.code === "http_status" || error.code === "invalid_response");
}

/** Tells whether a failure is more than the lack of an older transport. */
function saysMore(error: unknown): boolean {
  return error instanceof MortiseError && TELLING.has(error.code);
}
