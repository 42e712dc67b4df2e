import { describe, expect, test } from "vitest";
import { createLineReader } from "../src/lines.js";

type Event = { line: string } | "oversize" | "invalid";

function createRecorder(maxBytes = 1_000): { events: Event[]; feed(bytes: Uint8Array): void; end(): void } {
  const events: Event[] = [];
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => events.push({ line }),
    onOversize: () => events.push("oversize"),
    onInvalid: () => events.push("invalid"),
  });
  return { events, feed: reader.feed, end: reader.end };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function readAll(chunks: readonly Uint8Array[], maxBytes?: number): Event[] {
  const recorder = createRecorder(maxBytes);
  for (const chunk of chunks) recorder.feed(chunk);
  recorder.end();
  return recorder.events;
}

/** Every way to cut the bytes in two, byte by byte, and in threes. */
function cuttings(bytes: Uint8Array): Uint8Array[][] {
  const inTwo = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [...inTwo, piecesOf(bytes, 1), piecesOf(bytes, 3)];
}

function piecesOf(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

function expectEveryCutting(bytes: Uint8Array, expected: readonly Event[], maxBytes?: number): void {
  for (const chunks of cuttings(bytes)) expect(readAll(chunks, maxBytes)).toEqual(expected);
}

describe("lines", () => {
  test("delivers several lines of one chunk in order", () => {
    expect(readAll([bytesOf("one\ntwo\nthree\n")])).toEqual([{ line: "one" }, { line: "two" }, { line: "three" }]);
  });

  test("delivers a line as soon as its newline has come", () => {
    const recorder = createRecorder();

    recorder.feed(bytesOf('{"a":'));
    recorder.feed(bytesOf('1}\n{"b"'));

    expect(recorder.events).toEqual([{ line: '{"a":1}' }]);
  });

  test("rejoins text that is cut anywhere, also inside a character", () => {
    expectEveryCutting(bytesOf('{"t":"Größe 東京 🙂 é \\u00e9"}\n{"n":2}\n'), [
      { line: '{"t":"Größe 東京 🙂 é \\u00e9"}' },
      { line: '{"n":2}' },
    ]);
  });

  test("treats every separator but LF as data", () => {
    const line = '{"t":"a\u2028b\u2029c\u0085d\u000be\u000cf\rg"}';

    expectEveryCutting(bytesOf(`${line}\n${line}\n`), [{ line }, { line }]);
  });

  test("takes one trailing CR off", () => {
    expectEveryCutting(bytesOf("one\r\ntwo\r\r\nthree\n"), [{ line: "one" }, { line: "two\r" }, { line: "three" }]);
  });

  test("skips blank lines", () => {
    expectEveryCutting(bytesOf("\n\r\n \t\none\n\n\ntwo\n   \n"), [{ line: "one" }, { line: "two" }]);
  });

  test("ignores a byte-order mark at the start only", () => {
    expectEveryCutting(bytesOf("\ufeffone\n\ufefftwo\n"), [{ line: "one" }, { line: "\ufefftwo" }]);
  });

  test("skips a first line that is only a byte-order mark", () => {
    expectEveryCutting(bytesOf("\ufeff\none\n"), [{ line: "one" }]);
  });

  test("delivers a last line without newline at the end", () => {
    expectEveryCutting(bytesOf("one\ntwo"), [{ line: "one" }, { line: "two" }]);
  });

  test("delivers nothing at the end of an ended line", () => {
    expect(readAll([bytesOf("one\n")])).toEqual([{ line: "one" }]);
    expect(readAll([])).toEqual([]);
  });

  test("reports a line that is not UTF-8 and keeps its neighbours", () => {
    const bytes = new Uint8Array([
      ...bytesOf("one\n"),
      0x61,
      0xff,
      0x62,
      0x0a,
      ...bytesOf("é\n"),
      0xe9,
      0x0a,
      ...bytesOf("two\n"),
    ]);

    expectEveryCutting(bytes, [{ line: "one" }, "invalid", { line: "é" }, "invalid", { line: "two" }]);
  });

  test("refuses surrogates and overlong forms written as UTF-8", () => {
    const bytes = new Uint8Array([0xed, 0xa0, 0x80, 0x0a, 0xc0, 0xaf, 0x0a, ...bytesOf("one\n")]);

    expectEveryCutting(bytes, ["invalid", "invalid", { line: "one" }]);
  });

  test("refuses a last line that ends inside a character", () => {
    expectEveryCutting(new Uint8Array([0x61, 0xf0, 0x9f, 0x99]), ["invalid"]);
  });

  test("accepts a line of exactly the limit, whatever its line end", () => {
    expectEveryCutting(
      bytesOf("12345678\n12345678\r\n1234567é\n"),
      [{ line: "12345678" }, { line: "12345678" }, "oversize"],
      8,
    );
  });

  test("counts bytes and not characters", () => {
    expectEveryCutting(bytesOf("ééé\néééé\nab\n"), [{ line: "ééé" }, "oversize", { line: "ab" }], 6);
  });

  test("does not count a byte-order mark", () => {
    expectEveryCutting(bytesOf("\ufeff1234\n123\n"), [{ line: "1234" }, { line: "123" }], 4);
  });

  test("reports a line that is too long once and reads on after it", () => {
    expectEveryCutting(bytesOf(`one\n${"x".repeat(50)}\ntwo\n`), [{ line: "one" }, "oversize", { line: "two" }], 8);
  });

  test("reports a last line that is too long once", () => {
    expectEveryCutting(bytesOf(`one\n${"x".repeat(50)}`), [{ line: "one" }, "oversize"], 8);
  });

  test("reports a line that is too long before it has ended", () => {
    const recorder = createRecorder(8);

    for (let count = 0; count < 10; count += 1) recorder.feed(bytesOf("xxxx"));

    expect(recorder.events).toEqual(["oversize"]);
  });

  test("does not keep the chunk it was given", () => {
    const recorder = createRecorder();
    const chunk = bytesOf("one");

    recorder.feed(chunk);
    chunk.fill(0x7a);
    recorder.feed(bytesOf("\n"));

    expect(recorder.events).toEqual([{ line: "one" }]);
  });

  test("reads a large line that comes byte by byte in linear time", () => {
    const recorder = createRecorder(1_000_000);
    const one = bytesOf("x");

    for (let count = 0; count < 500_000; count += 1) recorder.feed(one);
    recorder.end();

    expect(recorder.events).toEqual([{ line: "x".repeat(500_000) }]);
  });
});
