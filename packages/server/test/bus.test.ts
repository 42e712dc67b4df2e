import { describe, expect, test } from "vitest";
import { createLocalBus } from "../src/bus.js";

describe("the bus within a process", () => {
  test("hands data to everyone who subscribed to the topic, and to nobody else", () => {
    const bus = createLocalBus();
    const heard: unknown[] = [];
    bus.subscribe("a", (data) => void heard.push(["first", data]));
    bus.subscribe("a", (data) => void heard.push(["second", data]));
    bus.subscribe("b", (data) => void heard.push(["other", data]));

    void bus.publish("a", 1);
    void bus.publish("c", 2);

    expect(heard).toEqual([
      ["first", 1],
      ["second", 1],
    ]);
  });

  test("hands nothing to those who have ended their subscription, even twice", () => {
    const bus = createLocalBus();
    const heard: unknown[] = [];
    const end = bus.subscribe("a", () => void heard.push("ended"));
    end();
    bus.subscribe("a", (data) => void heard.push(data));
    end();

    void bus.publish("a", 1);

    expect(heard).toEqual([1]);
  });

  test("tells everyone before it throws what a listener threw", () => {
    const bus = createLocalBus();
    const heard: unknown[] = [];
    bus.subscribe("a", () => {
      throw new RangeError("broken");
    });
    bus.subscribe("a", (data) => void heard.push(data));

    expect(() => bus.publish("a", 1)).toThrow(RangeError);
    expect(heard).toEqual([1]);
  });
});
