import { MortiseError } from "@mortise/core";
import { refusalError } from "../answer.js";
import { toError } from "../failures.js";
import type { Link, SendOptions } from "../link.js";
import type { HeaderList, HttpSending } from "../platform/platform.js";
import type { FollowOptions, StreamStop } from "./follow-stream.js";

/** How often in a row an answer is asked for in vain. */
const ANSWER_ATTEMPTS = 5;

/** How a session listens to what its server says outside of answers. */
export interface ListenOptions {
  readonly headers: HeaderList;
  /** The server had a stream for this session, and does not know the session any more. */
  onGone(): void;
  onProblem(problem: Error): void;
}

/**
 * Keeps a stream open on which the server can say what belongs to no request; `undefined` where the link has no such
 * streams. A server that refuses it has none, which is no failure.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
export function listen(link: Link, { headers, onGone, onProblem }: ListenOptions): HttpSending | undefined {
  const { streams } = link;
  if (streams === undefined) return undefined;
  let retryMs: number | undefined;
  return follow({
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
    onStop: (stop) => reportStop(stop, onGone, onProblem),
  });
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

function reportStop(stop: StreamStop, onGone: () => void, onProblem: (problem: Error) => void): void {
  if (stop.kind === "failed") {
    // A link that was closed has been told to whoever closed it.
    const isEnd = stop.error instanceof MortiseError && stop.error.code === "connection_closed";
    if (!isEnd) onProblem(stop.error);
    return;
  }
  const { status } = stop.answer.head;
  if (stop.opened && status === 404) onGone();
  else if (stop.answer.kind === "refused" && (status === 401 || status === 403)) onProblem(refusalError(stop.answer));
}
