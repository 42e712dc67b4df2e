import { describe, expect, test } from "vitest";
import { createSseReader, type SseEvent } from "../src/sse-read.js";

interface Reading {
  events: SseEvent[];
  retries: number[];
  oversized: number;
  lastEventId: string;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function readAll(chunks: readonly Uint8Array[], maxEventBytes = 10_000): Reading {
  const reading: Reading = { events: [], retries: [], oversized: 0, lastEventId: "" };
  const reader = createSseReader({
    maxEventBytes,
    onEvent: (event) => reading.events.push(event),
    onRetry: (ms) => reading.retries.push(ms),
    onOversize: () => {
      reading.oversized += 1;
    },
  });
  for (const chunk of chunks) reader.feed(chunk);
  reader.end();
  reading.lastEventId = reader.lastEventId;
  return reading;
}

function readText(text: string, maxEventBytes?: number): Reading {
  return readAll([bytesOf(text)], maxEventBytes);
}

/** Every way to cut the bytes in two, byte by byte, and in threes. */
function cuttings(bytes: Uint8Array): Uint8Array[][] {
  const inTwo = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  const inPieces = [1, 3].map((size) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  );
  return [...inTwo, ...inPieces];
}

function expectEveryCutting(text: string, expected: Partial<Reading>, maxEventBytes?: number): void {
  for (const chunks of cuttings(bytesOf(text))) expect(readAll(chunks, maxEventBytes)).toMatchObject(expected);
}

function message(data: string, fields: Partial<SseEvent> = {}): SseEvent {
  return { data, event: "message", id: "", ...fields };
}

describe("line ends", () => {
  for (const [name, end] of [
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ] as const) {
    test(`reads events whose lines end with ${name}`, () => {
      expectEveryCutting(["event: message", 'data: {"a":1}', "", "data: two", "", ""].join(end), {
        events: [message('{"a":1}'), message("two")],
      });
    });

    test(`dispatches with the last byte of the empty line when lines end with ${name}`, () => {
      const events: SseEvent[] = [];
      const reader = createSseReader({
        maxEventBytes: 100,
        onEvent: (event) => events.push(event),
        onOversize: () => {},
      });

      reader.feed(bytesOf(`data: ok${end}${end}`));

      expect(events).toEqual([message("ok")]);
    });
  }

  test("reads all three line ends mixed inside one event", () => {
    expectEveryCutting("event: message\rid: 7\r\ndata: one\ndata: two\r\r\ndata: three\n\r\n", {
      events: [message("one\ntwo", { id: "7" }), message("three", { id: "7" })],
    });
  });

  test("swallows a LF after a CR only when it comes next", () => {
    expectEveryCutting("data: a\r\n\r\ndata: b\r\r", { events: [message("a"), message("b")] });
  });

  test("keeps line and paragraph separators as data", () => {
    expectEveryCutting("data: a\u2028b\u2029c\u0085d\n\n", { events: [message("a\u2028b\u2029c\u0085d")] });
  });
});

describe("fields", () => {
  test("joins several data lines with newlines", () => {
    const text = 'data: {"jsonrpc":"2.0",\ndata:   "id":3,\ndata:   "result":{"text":"two\\nlines"}}\n\n';

    expectEveryCutting(text, { events: [message('{"jsonrpc":"2.0",\n  "id":3,\n  "result":{"text":"two\\nlines"}}')] });
  });

  test("takes off one space after the colon, and only one", () => {
    expectEveryCutting('data:{"a":1}\n\ndata:  {"a":1}\n\ndata:\t1\n\n', {
      events: [message('{"a":1}'), message(' {"a":1}'), message("\t1")],
    });
  });

  test("splits at the first colon", () => {
    expectEveryCutting('data: {"u":"http://x:1/"}\n\n', { events: [message('{"u":"http://x:1/"}')] });
  });

  test("ignores one byte-order mark at the start", () => {
    expectEveryCutting("\ufeffdata: a\n\n\ufeffdata: b\n\ndata: \ufeffc\n\n", {
      events: [message("a"), message("\ufeffc")],
    });
  });

  test("ignores unknown, capital and indented names", () => {
    expectEveryCutting("Data: a\n data: b\nfoo: c\ndata : d\ndata: e\n\n", { events: [message("e")] });
  });

  test("ignores comments", () => {
    expectEveryCutting(":\n\n: hello\n:data: x\ndata: a\n:\n\n", { events: [message("a")] });
  });

  test("takes a line without a colon as a field without a value", () => {
    expectEveryCutting("data\n\ndata\ndata\n\n", { events: [message(""), message("\n")] });
  });

  test("names the event type, once", () => {
    expectEveryCutting("event: endpoint\ndata: /messages\n\ndata: a\n\nevent:\ndata: b\n\n", {
      events: [message("/messages", { event: "endpoint" }), message("a"), message("b")],
    });
  });

  test("does not dispatch an event without data, and forgets its type", () => {
    expectEveryCutting("event: ping\n\n\n\ndata: a\n\n", { events: [message("a")] });
  });

  test("dispatches an event whose data is empty", () => {
    expectEveryCutting("id: 1\ndata:\n\n", { events: [message("", { id: "1" })], lastEventId: "1" });
  });

  test("discards an event that is not ended", () => {
    expectEveryCutting("data: a\n\nid: 2\ndata: b\n", { events: [message("a")], lastEventId: "" });
  });

  test("rejoins characters that are cut between chunks", () => {
    expectEveryCutting("data: Größe 東京 🙂 é\n\n", { events: [message("Größe 東京 🙂 é")] });
  });
});

test("replaces bytes that are not UTF-8, however they are cut", () => {
  const bytes = new Uint8Array([...bytesOf("data: a"), 0xff, 0xe6, 0x9d, 0x41, 0xf0, 0x9f, 0xc3, 0x0a, 0x0a]);
  const expected = new TextDecoder().decode(bytes).slice("data: ".length, -2);

  for (const chunks of cuttings(bytes)) expect(readAll(chunks).events).toEqual([message(expected)]);
});

describe("ids and retry", () => {
  test("keeps the id for later events until it is reset", () => {
    expectEveryCutting("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", {
      events: [message("a", { id: "1" }), message("b", { id: "1" }), message("c")],
      lastEventId: "",
    });
  });

  test("keeps the id of an event without data", () => {
    expectEveryCutting("id: 5\n\n", { events: [], lastEventId: "5" });
  });

  test("ignores an id with a NUL", () => {
    expectEveryCutting("id: 1\ndata: a\n\nid: a\0b\ndata: b\n\n", {
      events: [message("a", { id: "1" }), message("b", { id: "1" })],
      lastEventId: "1",
    });
  });

  test("does not count the id of an event that is not ended", () => {
    expectEveryCutting("id: 1\ndata: a\n\nid: 2\n", { lastEventId: "1" });
  });

  test("reports retry fields that are digits only", () => {
    expectEveryCutting("retry: 1500\nretry: 12x\nretry:\nretry: -5\nretry: 1.5\nretry:  7\nretry: 0\n", {
      retries: [1500, 0],
    });
  });

  test("limits retry to what a timer can wait", () => {
    expect(readText("retry: 99999999999999999999999\n").retries).toEqual([2_147_483_647]);
  });
});

describe("limits", () => {
  test("accepts data of exactly the limit", () => {
    expectEveryCutting(`data:${"x".repeat(15)}\n\n`, { events: [message("x".repeat(15))], oversized: 0 }, 20);
  });

  test("drops an event with a line over the limit once and reads on", () => {
    expectEveryCutting(
      `data: ${"x".repeat(100)}\ndata: ${"y".repeat(100)}\n\ndata: ok\n\n`,
      { events: [message("ok")], oversized: 1 },
      20,
    );
  });

  test("drops an event whose lines together are over the limit", () => {
    expectEveryCutting(
      `${"data: 1234567890\n".repeat(5)}\ndata: ok\n\n`,
      { events: [message("ok")], oversized: 1 },
      20,
    );
  });

  test("counts bytes and not characters", () => {
    expectEveryCutting("data:éééééééé\n\ndata:🙂🙂🙂🙂\n\ndata:東東東東東\n\n", { events: [], oversized: 3 }, 19);
    expectEveryCutting("data:éééééé\n\ndata:🙂🙂🙂\n\ndata:東東東東\n\n", { oversized: 0 }, 17);
  });

  test("keeps the id of an event that was dropped, so that a reconnect does not get it again", () => {
    expectEveryCutting(`id: 1\ndata: ${"x".repeat(100)}\n\n`, { events: [], oversized: 1, lastEventId: "1" }, 20);
  });

  test("reports an event without an end before it ends", () => {
    const chunks = Array.from({ length: 50 }, () => bytesOf("data: x\n"));

    expect(readAll(chunks, 20)).toMatchObject({ events: [], oversized: 1 });
  });

  test("reads a large event that comes byte by byte in linear time", () => {
    const text = `data: ${"x".repeat(400_000)}\n\n`;
    const chunks = Array.from(bytesOf(text), (byte) => new Uint8Array([byte]));

    expect(readAll(chunks, 1_000_000).events).toEqual([message("x".repeat(400_000))]);
  });
});
