import type { KeptSink } from "../answer.js";
import type { EventSink } from "../event-sink.js";
import { END, type Keeping, KeptStream } from "./kept-stream.js";
import { StreamReader } from "./stream-reader.js";

/** The stream of one answer. Its events outlive its connection, whoever ends that. */
export class KeptAnswer implements KeptSink {
  readonly #stream: KeptStream;
  readonly #reader: StreamReader;
  readonly #sink: EventSink;

  constructor(keeping: Keeping, { name, sink, primes }: { name: string; sink: EventSink; primes: boolean }) {
    this.#sink = sink;
    this.#reader = new StreamReader(keeping, { name, sink, primes });
    this.#stream = new KeptStream(keeping, name, "one");
    this.#stream.reader = this.#reader;
    if (primes) void this.#stream.add("");
  }

  get detached(): boolean {
    return this.#reader.over;
  }

  send(message: string): void | Promise<void> {
    return this.#stream.send(message);
  }

  deliver(message: string): void {
    void this.#stream.add(message);
  }

  keepAlive(): void {
    if (!this.#reader.over) this.#sink.keepAlive();
  }

  end(message?: string): void {
    if (message !== undefined) void this.#stream.add(message);
    void this.#stream.add(END);
  }

  drop(): void {
    if (this.#reader.over) return;
    this.#reader.stop();
    this.#sink.drop();
  }

  pause(retry: number): void {
    void this.#stream.next(() => {
      if (this.#reader.over) this.#stream.tell({ kind: "close", retry });
      else this.#reader.pause(retry);
    });
  }
}
