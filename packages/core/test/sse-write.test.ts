import { describe, expect, test } from "vitest";
import { createSseReader, type SseEvent } from "../src/sse-read.js";
import { formatEvent, KEEP_ALIVE } from "../src/sse-write.js";

function readBack(text: string): { events: SseEvent[]; retries: number[] } {
  const events: SseEvent[] = [];
  const retries: number[] = [];
  const reader = createSseReader({
    maxEventBytes: 1_000,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
    onOversize: () => {},
  });
  reader.feed(new TextEncoder().encode(text));
  return { events, retries };
}

describe("formatEvent", () => {
  test("writes one-line data as one line and an empty line", () => {
    expect(formatEvent('{"a":"\\n"}')).toBe('data: {"a":"\\n"}\n\n');
  });

  test("writes the type, the id and the delay before the data", () => {
    expect(formatEvent("{}", { event: "endpoint", id: "7", retry: 500 })).toBe(
      "event: endpoint\nid: 7\nretry: 500\ndata: {}\n\n",
    );
  });

  test("writes an event of an id and empty data, as a stream is primed with", () => {
    expect(formatEvent("", { id: "1" })).toBe("id: 1\ndata: \n\n");
  });

  test("spreads data over lines at every kind of newline", () => {
    expect(formatEvent("a\nb\r\nc\rd\n")).toBe("data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
  });

  test("is read back as it was written", () => {
    const text = KEEP_ALIVE + formatEvent(" a\n: b\ndata: c", { event: "x:y", id: "é", retry: 0 }) + KEEP_ALIVE;

    expect(readBack(text)).toEqual({ events: [{ data: " a\n: b\ndata: c", event: "x:y", id: "é" }], retries: [0] });
  });

  for (const bad of ["a\nb", "a\rb", "a\0b"]) {
    test(`refuses ${JSON.stringify(bad)} as a type or an id`, () => {
      expect(() => formatEvent("{}", { event: bad })).toThrow(expect.objectContaining({ code: "invalid_options" }));
      expect(() => formatEvent("{}", { id: bad })).toThrow(expect.objectContaining({ code: "invalid_options" }));
    });
  }

  for (const bad of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`refuses ${bad} as a delay`, () => {
      expect(() => formatEvent("{}", { retry: bad })).toThrow(expect.objectContaining({ code: "invalid_options" }));
    });
  }
});

test("a keep-alive is a comment that no reader reports", () => {
  expect(readBack(KEEP_ALIVE)).toEqual({ events: [], retries: [] });
});
