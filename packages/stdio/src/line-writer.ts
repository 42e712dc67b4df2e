import type { Writable } from "node:stream";

/** Text waiting for the end of the tick is written at once when it grows past this many characters. */
const FLUSH_AT = 64 * 1024;

/** Writes messages to a stream, one a line, in as few writes as possible. */
export interface LineWriter {
  /** True while the reader of the stream is behind and new text waits here. */
  readonly behind: boolean;
  /** How much text waits here because the reader is behind, in characters. */
  readonly backlog: number;
  /** Queues one message for the end of this tick. The promise, if any, resolves when the reader has caught up. */
  write(text: string): void | Promise<void>;
  /** Leaves the writing of what is queued from now on to a `flush()` that follows in the same turn. */
  hold(): void;
  /** Writes what is queued now. */
  flush(): void;
  /** Resolves `true` once all of it reached the operating system, `false` when it never will: failed, or no progress for `stallMs`. */
  drained(stallMs: number): Promise<boolean>;
  /** Forgets what is queued and lets go of the stream, without ending it. */
  release(): void;
}

/** What a writer stands on and whom it tells. */
export interface LineWriterOptions {
  readonly output: Writable;
  /** How bytes reach the stream. @default output.write */
  readonly send?: Writable["write"] | undefined;
  /** The reader caught up. */
  readonly onRoom?: (() => void) | undefined;
  /** The stream broke or was closed under the writer; nothing more can be written. Called at most once. */
  readonly onFailure: (error: Error | undefined) => void;
}

/** Puts a writer on a stream. It listens to the stream until `release()`. */
export function createLineWriter(options: LineWriterOptions): LineWriter {
  const { output } = options;
  const send: (text: string, done: (error?: Error | null) => void) => boolean = (options.send ?? output.write).bind(
    output,
  );
  const waiters = new Set<() => void>(); // callers of drained(); each looks again after every change
  let queued = "";
  let scheduled = false;
  let held = false;
  let writing = 0;
  let state: "open" | "failed" | "released" = "open";
  let behind = false;
  let room: Gate | undefined;

  const onWritten = (error?: Error | null): void => {
    writing -= 1;
    // A stream that was destroyed before fails its writes without an event.
    if (error != null) fail(error);
    // A stream tells of a failed write only after this callback.
    if (state === "released" && writing === 0) setImmediate(() => output.off("error", onError));
    notify();
  };
  const onDrain = (): void => {
    behind = false;
    flush();
    if (behind) return;
    openRoom();
    options.onRoom?.();
  };
  const onError = (error: Error): void => fail(error);
  const onClose = (): void => fail(undefined);
  output.on("drain", onDrain).on("error", onError).on("close", onClose);

  function flush(): void {
    held = false;
    if (queued === "" || behind || state !== "open") return;
    const text = queued;
    queued = "";
    writing += 1;
    behind = !send(text, onWritten);
  }

  function onTickEnd(): void {
    scheduled = false;
    flush();
  }

  function write(text: string): void | Promise<void> {
    if (state !== "open") return;
    queued += `${text}\n`;
    if (behind) {
      room ??= createGate();
      return room.promise;
    }
    if (queued.length >= FLUSH_AT) {
      flush();
    } else if (!scheduled && !held) {
      scheduled = true;
      setImmediate(onTickEnd);
    }
  }

  function fail(error: Error | undefined): void {
    if (state !== "open") return;
    state = "failed";
    settle();
    options.onFailure(error);
  }

  function release(): void {
    const wasOpen = state === "open";
    state = "released";
    output.off("drain", onDrain).off("close", onClose);
    // A write under way may still fail; without a listener that would end the process.
    if (writing === 0) output.off("error", onError);
    if (wasOpen) settle();
  }

  function settle(): void {
    queued = "";
    openRoom();
    notify();
  }

  function openRoom(): void {
    room?.open();
    room = undefined;
  }

  function notify(): void {
    for (const look of [...waiters]) look();
  }

  function drained(stallMs: number): Promise<boolean> {
    flush();
    return waitUntil({ output, stallMs, waiters, verdict });
  }

  function verdict(): boolean | undefined {
    if (state !== "open") return false;
    return queued === "" && writing === 0 ? true : undefined;
  }

  return {
    get behind() {
      return behind;
    },
    get backlog() {
      return behind ? queued.length : 0;
    },
    write,
    hold() {
      held = true;
    },
    flush,
    drained,
    release,
  };
}

interface WaitOptions {
  readonly output: Writable;
  readonly stallMs: number;
  readonly waiters: Set<() => void>;
  readonly verdict: () => boolean | undefined;
}

/** Resolves with the verdict as soon as there is one, `false` when the stream stands still for too long. */
function waitUntil({ output, stallMs, waiters, verdict }: WaitOptions): Promise<boolean> {
  const known = verdict();
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((resolve) => {
    const stop = (value: boolean): void => {
      waiters.delete(look);
      stall.cancel();
      resolve(value);
    };
    const stall = watchStall(output, stallMs, () => stop(false));
    const look = (): void => {
      const value = verdict();
      if (value === undefined) stall.progress();
      else stop(value);
    };
    waiters.add(look);
    look();
  });
}

/** A promise that is resolved from outside. */
interface Gate {
  readonly promise: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

interface StallWatch {
  /** Something moved: the time starts anew. */
  progress(): void;
  cancel(): void;
}

/** The part of a socket that knows whether a large write is still moving. */
interface Timed {
  readonly timeout?: number | undefined;
  setTimeout(ms: number): unknown;
}

/**
 * Calls `onStall` when the stream made no progress for a time. A socket or pipe is asked itself, because its timeout counts
 * bytes taken out of a write under way; other streams are judged by their finished writes.
 */
function watchStall(output: Writable, ms: number, onStall: () => void): StallWatch {
  if (isTimed(output)) {
    const before = output.timeout ?? 0;
    output.once("timeout", onStall);
    output.setTimeout(ms);
    return {
      progress: () => undefined,
      cancel() {
        output.off("timeout", onStall);
        output.setTimeout(before);
      },
    };
  }
  let timer = setTimeout(onStall, ms);
  return {
    progress() {
      clearTimeout(timer);
      timer = setTimeout(onStall, ms);
    },
    cancel: () => clearTimeout(timer),
  };
}

function isTimed(output: Writable): output is Writable & Timed {
  return "setTimeout" in output && typeof output.setTimeout === "function";
}
