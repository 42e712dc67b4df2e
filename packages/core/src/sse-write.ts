import { MortiseError } from "./errors.js";

/** The fields of an event besides its data. */
export interface EventFields {
  /** The event type. Left out for `"message"`. */
  readonly event?: string | undefined;
  /** The event id: what a reconnect asks to go on from. */
  readonly id?: string | undefined;
  /** How long the reader is to wait before it reconnects, in milliseconds. */
  readonly retry?: number | undefined;
}

/** A comment that keeps a silent stream from being cut by whatever stands in between. */
export const KEEP_ALIVE = ":\n\n";

const LINE_ENDS = /\r\n|\r|\n/;
const NOT_IN_FIELD = /[\r\n\0]/;

/**
 * Writes one event of an event stream, with its empty line. Data with newlines is spread over several lines.
 * Throws `invalid_options` for a type or id with a newline or NUL, or a `retry` that is not a whole number of milliseconds.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function formatEvent(data: string, fields?: EventFields): string {
  const head = fields === undefined ? "" : formatFields(fields);
  // JSON text has no newline of its own, so this search is all that a message costs.
  if (data.indexOf("\n") === -1 && data.indexOf("\r") === -1) return `${head}data: ${data}\n\n`;
  return `${head}data: ${data.split(LINE_ENDS).join("\ndata: ")}\n\n`;
}

function formatFields({ event, id, retry }: EventFields): string {
  const eventLine = event === undefined ? "" : `event: ${checkField("event", event)}\n`;
  const idLine = id === undefined ? "" : `id: ${checkField("id", id)}\n`;
  return eventLine + idLine + (retry === undefined ? "" : `retry: ${checkRetry(retry)}\n`);
}

function checkField(name: string, value: string): string {
  if (!NOT_IN_FIELD.test(value)) return value;
  throw new MortiseError("invalid_options", `Expected the ${name} of a stream event to be one line without NUL`);
}

function checkRetry(retry: number): number {
  if (Number.isSafeInteger(retry) && retry >= 0) return retry;
  throw new MortiseError("invalid_options", `Expected "retry" to be a whole number of milliseconds, received ${retry}`);
}
