import type { HandlerContext } from "@mortise/server";

/** So often a caller that waits hears that the work goes on, in milliseconds. */
const EVERY_MS = 5000;

/** Tells a caller what is being done, again and again while it waits. */
export interface Reporter {
  /** Tells it now, and repeats it with the time that has passed. */
  tell(message: string): void;
  /** Ends the reports. */
  stop(): void;
}

/** Reports progress to the caller of one tool, if it asked to be told. Progress is counted in seconds. */
export function createReporter(context: HandlerContext): Reporter {
  const start = performance.now();
  let last = "Working";
  let stopped = false;
  const send = (message: string): void => {
    // Dropped where the caller reads too slowly: the next one says as much.
    if (!stopped) void context.progress((performance.now() - start) / 1000, undefined, message);
  };
  const timer = setInterval(() => send(`${last} (${Math.round((performance.now() - start) / 1000)} s)`), EVERY_MS);
  return {
    tell(message) {
      last = message;
      send(message);
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
