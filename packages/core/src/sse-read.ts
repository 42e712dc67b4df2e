import { LONGEST_DELAY } from "@mortise/core";

/** One event of an event stream. */
export interface SseEvent {
  /** The values of its `data` lines, joined by newlines. */
  readonly data: string;
  /** Its type; `"message"` when it names none. */
  readonly event: string;
  /** The last event id at that point of the stream; `""` when none was given. */
  readonly id: string;
}

/** What an event-stream reader needs. The callbacks must not throw. */
export interface SseReaderOptions {
  /** Largest event accepted, in bytes: its data and any line of it. */
  readonly maxEventBytes: number;
  /** Receives every complete event that has data. */
  readonly onEvent: (event: SseEvent) => void;
  /** Receives every valid `retry` field: how long to wait before reconnecting, in milliseconds, at most 2^31 - 1. */
  readonly onRetry?: ((ms: number) => void) | undefined;
  /** Called once for each event that is larger than `maxEventBytes`, as soon as that is known. The event is dropped. */
  readonly onOversize: () => void;
}

/** Turns the bytes of an event stream into events, wherever the bytes are cut. */
export interface SseReader {
  /** Takes the next bytes. They are not needed afterwards. */
  feed(chunk: Uint8Array): void;
  /** No more bytes: an event without its empty line is discarded, as the standard demands. */
  end(): void;
  /** The id of the last complete event that had one; `""` before. What a reconnect sends as `Last-Event-ID`. */
  readonly lastEventId: string;
}

const DIGITS = /^[0-9]+$/;
/** So many cut pieces of one line are joined at a time, so that a line that comes byte by byte costs no object per byte. */
const JOIN_AFTER = 1_024;

/**
 * Creates a reader for `text/event-stream` by the rules of the standard.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createSseReader(options: SseReaderOptions): SseReader {
  const { maxEventBytes, onEvent, onRetry, onOversize } = options;
  const decode = createDecoder();
  const line = createPieces();
  let data: string[] = [];
  let dataBytes = 0;
  let event = "";
  let id = "";
  let committedId = "";
  let lineBytes = 0;
  let skipLineFeed = false; // the last chunk ended with CR: a LF that comes first now belongs to it
  let dropping: "no" | "line" | "event" = "no"; // "line": this line is too long, and so is its event

  function feed(chunk: Uint8Array): void {
    const { text, ascii } = decode(chunk);
    if (text !== "") takeText(text, ascii);
  }

  function takeText(text: string, ascii: boolean): void {
    let start = 0;
    if (skipLineFeed) {
      skipLineFeed = false;
      if (text.startsWith("\n")) start = 1;
    }
    let lf = text.indexOf("\n", start);
    let cr = text.indexOf("\r", start);
    while (lf !== -1 || cr !== -1) {
      const stop = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      takePiece(text.slice(start, stop), ascii);
      takeLine();
      start = stop + 1;
      if (stop === cr) {
        // A CR ends the line at once: the event must not wait for the next chunk.
        if (start === text.length) skipLineFeed = true;
        else if (lf === start) start += 1;
        cr = text.indexOf("\r", start);
      }
      if (lf !== -1 && lf < start) lf = text.indexOf("\n", start);
    }
    takePiece(start === 0 ? text : text.slice(start), ascii);
  }

  function takePiece(piece: string, ascii: boolean): void {
    if (piece === "") return;
    const wasEmpty = lineBytes === 0;
    lineBytes += ascii ? piece.length : utf8Length(piece);
    if (dropping === "line") return;
    if (lineBytes > maxEventBytes) {
      dropLine();
      return;
    }
    if (wasEmpty) line.start(piece);
    else line.add(piece);
  }

  function dropLine(): void {
    line.start("");
    if (dropping === "no") dropEvent();
    dropping = "line";
  }

  function dropEvent(): void {
    data = [];
    dataBytes = 0;
    dropping = "event";
    onOversize();
  }

  function takeLine(): void {
    const bytes = lineBytes;
    lineBytes = 0;
    if (bytes === 0) dispatch();
    else if (dropping === "line") dropping = "event";
    else takeField(line.take(), bytes);
  }

  function takeField(text: string, bytes: number): void {
    const colon = text.indexOf(":");
    if (colon === 0) return; // a comment
    const name = colon === -1 ? text : text.slice(0, colon);
    const from = text.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
    const value = colon === -1 ? "" : text.slice(from);
    switch (name) {
      case "data":
        takeData(value, colon === -1 ? 0 : bytes - from);
        return;
      case "event":
        event = value;
        return;
      case "id":
        if (!value.includes("\0")) id = value;
        return;
      case "retry":
        if (DIGITS.test(value)) onRetry?.(Math.min(Number(value), LONGEST_DELAY));
        return;
      default: // unknown names are ignored, also "Data" and " data"
    }
  }

  function takeData(value: string, bytes: number): void {
    if (dropping !== "no") return;
    dataBytes += data.length === 0 ? bytes : bytes + 1;
    if (dataBytes > maxEventBytes) dropEvent();
    else data.push(value);
  }

  function dispatch(): void {
    const values = data;
    const type = event;
    committedId = id;
    event = "";
    dropping = "no";
    if (values.length === 0) return;
    data = [];
    dataBytes = 0;
    const joined = values.length === 1 ? (values[0] ?? "") : values.join("\n");
    onEvent({ data: joined, event: type === "" ? "message" : type, id });
  }

  function end(): void {
    data = [];
    dataBytes = 0;
    event = "";
    id = committedId;
    lineBytes = 0;
    line.start("");
    dropping = "no";
  }

  return {
    feed,
    end,
    get lastEventId(): string {
      return committedId;
    },
  };
}

/**
 * Decodes chunk by chunk: bad bytes become U+FFFD, one byte-order mark is taken off. A decoder in its own streaming mode
 * takes several times as long on Node, so a character that is cut is kept for the next chunk here.
 */
function createDecoder(): (chunk: Uint8Array) => { readonly text: string; readonly ascii: boolean } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let kept: Uint8Array | undefined;
  let started = false;
  return (chunk) => {
    const bytes = kept === undefined ? chunk : concat(kept, chunk);
    const whole = bytes.length - cutLength(bytes);
    kept = whole < bytes.length ? bytes.slice(whole) : undefined;
    const text = decoder.decode(whole < bytes.length ? bytes.subarray(0, whole) : bytes);
    const isMarked = !started && text.charCodeAt(0) === 0xfeff;
    started ||= text !== "";
    return { text: isMarked ? text.slice(1) : text, ascii: text.length === whole };
  };
}

/** How many bytes at the end begin a character that is not complete yet. */
function cutLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

interface Pieces {
  start(piece: string): void;
  add(piece: string): void;
  take(): string;
}

/** The pieces of one cut line. The first stands alone, since most lines come whole. */
function createPieces(): Pieces {
  let first = "";
  let joined: string[] = [];
  let recent: string[] = [];
  return {
    start(piece): void {
      first = piece;
      if (recent.length > 0) recent = [];
      if (joined.length > 0) joined = [];
    },
    add(piece): void {
      recent.push(piece);
      if (recent.length < JOIN_AFTER) return;
      joined.push(recent.join(""));
      recent = [];
    },
    take(): string {
      return recent.length === 0 && joined.length === 0 ? first : first + joined.join("") + recent.join("");
    },
  };
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Half of a surrogate pair counts two, so that a pair makes four.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
