import { describe, expect, test } from "vitest";
import { EventSink } from "../src/event-sink.js";
import { createFakeExchange } from "./fake-exchange.js";

describe("an event stream", () => {
  test("sends the events of one tick in one piece", () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);

    void sink.send("1");
    void sink.send("2");
    const before = exchange.sent.began;
    exchange.tick();

    expect(before).toBe(false);
    expect(exchange.sent).toMatchObject({ began: true, text: "data: 1\n\ndata: 2\n\n", ended: false });
  });

  test("is one whole answer where the last event comes in the same tick", () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);

    void sink.send("1");
    sink.end("2");
    exchange.tick();

    expect(exchange.sent).toMatchObject({ began: false, text: "data: 1\n\ndata: 2\n\n", ended: true });
  });

  test("makes senders wait while the peer is behind, and only then", async () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);
    exchange.keepsUp = false;
    const first = sink.send("1");
    exchange.tick();

    const second = sink.send("2");
    exchange.keepsUp = true;
    exchange.drain();
    await second;

    expect(first).toBeUndefined();
    expect(second).toBeInstanceOf(Promise);
    exchange.tick();
    expect(sink.send("3")).toBeUndefined();
  });

  test("finds out within one tick that the peer does not keep up", () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);
    exchange.keepsUp = false;

    expect(sink.send("x".repeat(70_000))).toBeInstanceOf(Promise);
  });

  test("lets notices fall that nobody waited for once a peer is far behind", () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);
    exchange.keepsUp = false;

    for (let index = 0; index < 100; index += 1) {
      Object.assign(exchange, { backlog: exchange.sent.text.length });
      void sink.send("x".repeat(50_000));
    }
    sink.end("last");

    expect(exchange.sent.text.length).toBeLessThan(1_300_000);
    expect(exchange.sent.text.endsWith("data: last\n\n")).toBe(true);
  });

  test("sends comments only into silence", () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);

    sink.keepAlive();
    sink.keepAlive();
    exchange.tick();
    void sink.send("1");
    sink.keepAlive();
    exchange.tick();
    sink.end();
    sink.keepAlive();
    exchange.tick();

    expect(exchange.sent.text).toBe(":\n\ndata: 1\n\n");
  });

  test("sends nothing any more once it is dropped", () => {
    const exchange = createFakeExchange();
    const sink = new EventSink(exchange, []);
    void sink.send("1");

    sink.drop();
    void sink.send("2");
    sink.end("3");
    exchange.tick();

    expect(exchange.sent).toMatchObject({ text: "", ended: false });
  });
});
