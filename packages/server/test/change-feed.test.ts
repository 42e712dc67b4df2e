import { describe, expect, test } from "vitest";
import { type Bus, createLocalBus } from "../src/bus.js";
import { ChangeFeed } from "../src/change-feed.js";

/** A local bus that counts its subscriptions. */
function createCountingBus(): Bus & { readonly open: string[] } {
  const bus = createLocalBus();
  const open: string[] = [];
  return {
    open,
    publish: bus.publish,
    subscribe(topic, listener) {
      const end = bus.subscribe(topic, listener);
      open.push(topic);
      return () => {
        open.splice(open.indexOf(topic), 1);
        end();
      };
    },
  };
}

describe("the feed of changes", () => {
  test("subscribes once for each topic in use, however many listen", () => {
    const bus = createCountingBus();
    const feed = new ChangeFeed(bus, () => undefined);

    const first = feed.watch(["a", "b"], () => undefined);
    const second = feed.watch(["b", "b"], () => undefined);
    const during = [...bus.open];
    first();
    const afterFirst = [...bus.open];
    second();

    expect(during).toEqual(["a", "b"]);
    expect(afterFirst).toEqual(["b"]);
    expect(bus.open).toEqual([]);
    expect(feed.size).toBe(0);
  });

  test("tells a listener which topic changed, with its data", () => {
    const bus = createLocalBus();
    const feed = new ChangeFeed(bus, () => undefined);
    const heard: unknown[] = [];
    feed.watch(["a", "b"], (topic, data) => void heard.push([topic, data]));

    void bus.publish("b", { x: 1 });

    expect(heard).toEqual([["b", { x: 1 }]]);
  });

  test("does not let a failing listener keep the news from the others", () => {
    const bus = createLocalBus();
    const failures: unknown[] = [];
    const feed = new ChangeFeed(bus, (error) => void failures.push(error));
    const heard: unknown[] = [];
    feed.watch(["a"], () => {
      throw new RangeError("broken");
    });
    feed.watch(["a"], (topic) => void heard.push(topic));

    void bus.publish("a", null);

    expect(heard).toEqual(["a"]);
    expect(failures).toEqual([expect.any(RangeError)]);
  });

  test("leaves nothing behind when the bus refuses one of several topics", () => {
    const bus = createCountingBus();
    const refusing: Bus = {
      publish: bus.publish,
      subscribe(topic, listener) {
        if (topic === "b") throw new RangeError("no such topic");
        return bus.subscribe(topic, listener);
      },
    };
    const feed = new ChangeFeed(refusing, () => undefined);

    expect(() => feed.watch(["a", "b"], () => undefined)).toThrow(RangeError);
    expect(bus.open).toEqual([]);
    expect(feed.size).toBe(0);
  });

  test("needs to know how a subscription ends", () => {
    const bus = { publish: () => undefined, subscribe: (async () => () => undefined) as never };

    expect(() => new ChangeFeed(bus, () => undefined).watch(["a"], () => undefined)).toThrow(TypeError);
  });
});
