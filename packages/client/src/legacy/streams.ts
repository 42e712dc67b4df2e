import { toError } from "@mortise/core";
import type { Link, SendOptions } from "../link.js";
import type { HeaderList, HttpSending } from "../platform/platform.js";
import type { FollowOptions } from "./follow-stream.js";

/** How often in a row an answer is asked for in vain. */
const ANSWER_ATTEMPTS = 5;

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
