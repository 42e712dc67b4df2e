/** What a line reader needs. The callbacks must not throw. */
export interface LineReaderOptions {
  /** Longest line accepted, in bytes, its line end excluded. */
  readonly maxBytes: number;
  /** Receives every line that is not blank, without its line end. */
  readonly onLine: (text: string) => void;
  /** Called once for each line that is longer than `maxBytes`, as soon as that is known. Its bytes are dropped. */
  readonly onOversize: () => void;
  /** Called for each line that is not UTF-8. */
  readonly onInvalid: () => void;
}

/** Turns bytes into lines, wherever the bytes are cut. */
export interface LineReader {
  /** Takes the next bytes. They are copied when they have to be kept, so the chunk may be used again. */
  feed(chunk: Uint8Array): void;
  /** No more bytes: delivers a last line that has no line end. */
  end(): void;
}

const LF = 0x0a;
const CR = 0x0d;
const BLANK = /^[ \t\r]*$/;
const NOTHING = /* @__PURE__ */ new Uint8Array(0);
/** A kept buffer that grew beyond this is given back after its line, so that one large line does not cost memory for ever. */
const KEEP_CAPACITY = 65_536;

/**
 * Creates a reader for messages that are framed by newlines.
 *
 * Only byte 0x0A ends a line (every other separator is data), one trailing CR is taken off, a byte-order mark at the very
 * start is ignored, and blank lines are skipped.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export function createLineReader(options: LineReaderOptions): LineReader {
  const { maxBytes, onLine, onOversize, onInvalid } = options;
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let kept = NOTHING; // the bytes of a line that has not ended yet: kept[0 .. used)
  let used = 0;
  let dropping = false; // inside a line that was found to be too long
  let started = false; // the place for a byte-order mark has passed

  function feed(chunk: Uint8Array): void {
    let start = 0;
    if (used > 0 || dropping) {
      const first = chunk.indexOf(LF);
      if (first === -1) {
        keep(chunk);
        return;
      }
      keep(chunk.subarray(0, first));
      finishKept();
      start = first + 1;
    }
    const last = chunk.lastIndexOf(LF);
    if (last >= start) takeBlock(withoutMark(chunk.subarray(start, last)));
    if (last + 1 < chunk.length) keep(chunk.subarray(Math.max(start, last + 1)));
  }

  function end(): void {
    if (used > 0 || dropping) finishKept();
  }

  function keep(bytes: Uint8Array): void {
    if (dropping || bytes.length === 0) return;
    // A CR that belongs to the line end and a byte-order mark do not count; the exact check comes with the line end.
    const slack = started ? 1 : 4;
    const size = used + bytes.length;
    if (size > maxBytes + slack) {
      kept = NOTHING;
      used = 0;
      dropping = true;
      onOversize();
      return;
    }
    if (size > kept.length) {
      // Doubling keeps a line that arrives byte by byte linear in time and memory.
      const grown = new Uint8Array(Math.max(size, kept.length * 2));
      grown.set(kept.subarray(0, used));
      kept = grown;
    }
    kept.set(bytes, used);
    used = size;
  }

  function finishKept(): void {
    const bytes = kept.subarray(0, used);
    const dropped = dropping;
    if (kept.length > KEEP_CAPACITY) kept = NOTHING;
    used = 0;
    dropping = false;
    if (dropped) started = true;
    else takeLine(withoutMark(bytes));
  }

  function withoutMark(bytes: Uint8Array): Uint8Array {
    if (started) return bytes;
    started = true;
    const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    return marked ? bytes.subarray(3) : bytes;
  }

  /** Takes whole lines without the last newline. Decoding all of them at once costs a third of decoding each. */
  function takeBlock(block: Uint8Array): void {
    const text = block.length > maxBytes ? undefined : decode(block);
    if (text === undefined) {
      takeEach(block);
      return;
    }
    let start = 0;
    for (let stop = text.indexOf("\n"); stop !== -1; stop = text.indexOf("\n", start)) {
      deliver(text.slice(start, stop));
      start = stop + 1;
    }
    deliver(start === 0 ? text : text.slice(start));
  }

  /** Line by line, where a block is not UTF-8 or may hold a line that is too long. */
  function takeEach(block: Uint8Array): void {
    let start = 0;
    for (let stop = block.indexOf(LF); stop !== -1; stop = block.indexOf(LF, start)) {
      takeLine(block.subarray(start, stop));
      start = stop + 1;
    }
    takeLine(block.subarray(start));
  }

  function takeLine(bytes: Uint8Array): void {
    const size = bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
    if (size > maxBytes) {
      onOversize();
      return;
    }
    const text = decode(bytes);
    if (text === undefined) onInvalid();
    else deliver(text);
  }

  function deliver(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    // A message starts with "{" or "[", so only odd lines pay for the expression.
    if (text.charCodeAt(0) > 0x20 || !BLANK.test(text)) onLine(text);
  }

  function decode(bytes: Uint8Array): string | undefined {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined; // the only failure a fatal decoder has: these bytes are not UTF-8
    }
  }

  return { feed, end };
}
