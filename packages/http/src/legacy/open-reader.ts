import type { Visit } from "../visit.js";
import type { Keeping } from "./kept-stream.js";
import { type Reading, StreamReader } from "./stream-reader.js";

/** What is read, and who is told when the connection is over: because the client has left, or because it was closed here. */
export interface Opened extends Pick<Reading, "name" | "last" | "primes"> {
  readonly onOver?: ((how: "left" | "closed") => void) | undefined;
}

/** Has a GET request read a stream, in the place of every other reader. */
export function openReader(keeping: Keeping, visit: Visit, { onOver, ...reading }: Opened): StreamReader {
  const { parts } = keeping;
  const sink = parts.createSink(visit);
  const stops: (() => void)[] = [];
  const finish = (how: "left" | "closed"): void => {
    for (const stop of stops.splice(0)) stop();
    onOver?.(how);
  };
  sink.keepAlive(); // the head goes out with it
  const reader = new StreamReader(keeping, { ...reading, sink, onClosed: () => finish("closed") });
  const beat = (): void => {
    sink.keepAlive();
    reader.look(); // a bus may lose a word
  };
  stops.push(parts.keepAlive().start(beat));
  stops.push(parts.server.inside.core.onClose(() => reader.close()));
  visit.exchange.whenGone(() => {
    if (reader.over) return;
    reader.stop();
    sink.drop();
    finish("left");
  });
  reader.begin();
  return reader;
}
