import { MortiseError } from "@mortise/core";
import type { EventStreams } from "../link.js";
import type { HeaderList, HttpSending } from "../platform/platform.js";
import { refusalError } from "../refused-answer.js";
import { followStream, type StreamStop } from "./follow-stream.js";

/** Statuses below 500 that do not say that there is no stream. */
const NOT_NOW: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** How a session listens to what its server says outside of answers. */
export interface ListenOptions {
  readonly streams: EventStreams;
  readonly headers: HeaderList;
  /** The server had a stream for this session, and does not know the session any more. */
  onGone(): void;
  /** There is no stream any more, or never was. */
  onStopped(): void;
  onProblem(problem: Error): void;
}

/** The stream of a session. */
export interface SessionStream extends HttpSending {
  /** "lost" is followed by "open" or "stopped", and that by nothing. A stream that goes on behind its last event is not lost. */
  readonly status: "opening" | "open" | "lost" | "stopped";
  /** Why it is not there, when it is "lost" or "stopped". */
  readonly reason: Error | undefined;
  /** Called with every change of the status. */
  onStatus: (() => void) | undefined;
}

/**
 * Keeps a stream open on which the server can say what belongs to no request. A server that refuses it has none, which is no
 * failure. Loaded with the first session that needs it.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export function listen(options: ListenOptions): SessionStream {
  const { streams, headers, onGone, onStopped } = options;
  let retryMs: number | undefined;
  let status: SessionStream["status"] = "opening";
  let reason: Error | undefined;
  const change = (next: SessionStream["status"], why?: Error): void => {
    status = next;
    reason = why;
    stream.onStatus?.();
  };
  const following = followStream({
    open: (extra, createReader) => streams.open([...headers, ...extra], createReader),
    createReader: () =>
      streams.createReader((ms) => {
        retryMs = ms;
      }),
    lastEventId: "",
    retryAfter: () => retryMs,
    isAnswered: () => false,
    maxAttempts: Number.POSITIVE_INFINITY,
    isAwaited: false,
    onOpened: () => change("open"),
    onLost: (error) => change("lost", error),
    onStop(stop) {
      if (isGone(stop)) {
        onGone();
        return;
      }
      onStopped();
      reportStop(stop, options);
      change("stopped", stopReason(stop));
    },
  });
  const stream: SessionStream = {
    get status() {
      return status;
    },
    get reason() {
      return reason;
    },
    onStatus: undefined,
    drop: () => following.drop(),
  };
  return stream;
}

/** Tells whether the server had a stream for this session, and does not know the session any more. */
function isGone(stop: StreamStop): boolean {
  return stop.kind === "refused" && stop.opened && stop.answer.head.status === 404;
}

function reportStop(stop: StreamStop, { onProblem }: ListenOptions): void {
  if (stop.kind === "failed") {
    // A link that was closed has been told to whoever closed it.
    const isEnd = stop.error instanceof MortiseError && stop.error.code === "connection_closed";
    if (!isEnd) onProblem(stop.error);
    return;
  }
  const { status } = stop.answer.head;
  if (stop.answer.kind === "refused" && (status === 401 || status === 403)) onProblem(refusalError(stop.answer));
}

function stopReason(stop: StreamStop): Error {
  if (stop.kind === "failed") return stop.error;
  const { kind, head } = stop.answer;
  const isMissing = head.status < 500 && !NOT_NOW.has(head.status);
  if (kind === "refused" && !isMissing) return refusalError(stop.answer);
  return new MortiseError(
    isMissing ? "not_offered" : "http_status",
    `The server has no stream of its own: it answered with HTTP ${head.status}`,
    { cause: { status: head.status } },
  );
}
