import { MortiseError } from "@mortise/core";
import { refusalError } from "../answer.js";
import { toError } from "../failures.js";
import type { Link, SendOptions } from "../link.js";
import type { HeaderList, HttpSending } from "../platform/platform.js";
import type { FollowOptions, StreamStop } from "./follow-stream.js";

/** How often in a row an answer is asked for in vain. */
const ANSWER_ATTEMPTS = 5;

/** Statuses below 500 that do not say that there is no stream. */
const NOT_NOW: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** How a session listens to what its server says outside of answers. */
export interface ListenOptions {
  readonly headers: HeaderList;
  /** The server had a stream for this session, and does not know the session any more. */
  onGone(): void;
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
 * Keeps a stream open on which the server can say what belongs to no request; `undefined` where the link has no such
 * streams. A server that refuses it has none, which is no failure.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export function listen(link: Link, { headers, onGone, onProblem }: ListenOptions): SessionStream | undefined {
  const { streams } = link;
  if (streams === undefined) return undefined;
  let retryMs: number | undefined;
  let status: SessionStream["status"] = "opening";
  let reason: Error | undefined;
  const change = (next: SessionStream["status"], why?: Error): void => {
    status = next;
    reason = why;
    stream.onStatus?.();
  };
  const following = follow({
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
      reportStop(stop, onProblem);
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

/** Gets the rest of an answer whose stream was lost; `undefined` where the link has no streams to get it from. */
export function createResume(link: Link, headers: HeaderList): SendOptions["resume"] {
  const { streams } = link;
  if (streams === undefined) return undefined;
  return (stream) =>
    follow({
      open: (extra, createReader) => streams.open([...headers, ...extra], createReader),
      createReader: stream.createReader,
      lastEventId: stream.lastEventId,
      retryAfter: () => stream.retryAfter(),
      isAnswered: () => stream.isAnswered(),
      maxAttempts: ANSWER_ATTEMPTS,
      isAwaited: true,
      onStop: () => stream.onLost(),
    });
}

/** Follows a stream once the module that does is loaded, which most sessions never need. */
function follow(options: FollowOptions): HttpSending {
  let following: HttpSending | undefined;
  let dropped = false;
  import("./follow-stream.js").then(
    ({ followStream }) => {
      if (!dropped) following = followStream(options);
    },
    (error: unknown) => options.onStop({ kind: "failed", error: toError(error) }),
  );
  return {
    drop() {
      dropped = true;
      following?.drop();
    },
  };
}

/** Tells whether the server had a stream for this session, and does not know the session any more. */
function isGone(stop: StreamStop): boolean {
  return stop.kind === "refused" && stop.opened && stop.answer.head.status === 404;
}

function reportStop(stop: StreamStop, onProblem: (problem: Error) => void): void {
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
