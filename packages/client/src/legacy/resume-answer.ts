import type { Link, LostStream } from "../link.js";
import type { HeaderList, HttpSending } from "../platform/platform.js";
import { followStream } from "./follow-stream.js";

/** How often in a row an answer is asked for in vain. */
const ANSWER_ATTEMPTS = 5;

/** Gets the rest of an answer whose stream was lost. Loaded with the first such answer. */
export async function resumeAnswer(link: Link, headers: HeaderList, lost: LostStream): Promise<HttpSending> {
  const streams = await link.loadStreams?.();
  if (streams === undefined) throw new TypeError("Expected a link that has streams");
  return followStream({
    open: (extra, createReader) => streams.open([...headers, ...extra], createReader),
    createReader: lost.createReader,
    lastEventId: lost.lastEventId,
    retryAfter: () => lost.retryAfter(),
    isAnswered: () => lost.isAnswered(),
    maxAttempts: ANSWER_ATTEMPTS,
    isAwaited: true,
    onStop: () => lost.onLost(),
  });
}
