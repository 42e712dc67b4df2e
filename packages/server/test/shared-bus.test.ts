import type { JsonObject } from "@mortise/core";
import { type Bus, MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { createLocalBus } from "../src/bus.js";
import { open, settled } from "./pipe-client.js";

/** A bus as between processes: what is published arrives later, as a copy. */
function createDistantBus(): Bus & { readonly published: string[] } {
  const bus = createLocalBus();
  const published: string[] = [];
  return {
    published,
    async publish(topic, data) {
      published.push(topic);
      await Promise.resolve();
      await bus.publish(topic, JSON.parse(JSON.stringify(data)));
    },
    subscribe: bus.subscribe,
  };
}

function createServer(bus: Bus, failures: unknown[] = []): MCPServer {
  const onError = (error: unknown): void => void failures.push(error);
  return new MCPServer({ name: "test", version: "1", tools: [], resources: [], bus, onError });
}

describe("a bus that several servers share", () => {
  test("carries changes of one to the clients of the other, in both eras", async () => {
    const bus = createDistantBus();
    const [one, other] = [createServer(bus), createServer(bus)];
    const [modern, legacy] = [open(other), open(other)];
    modern.modern("subscriptions/listen", {
      notifications: { toolsListChanged: true, resourceSubscriptions: ["test://one"] },
    });
    legacy.agree();
    legacy.request("resources/subscribe", { uri: "test://one" });
    modern.received.length = 0;
    legacy.received.length = 0;

    one.tool("late", {}, () => "");
    one.notify.resourceUpdated("test://one");
    await settled();

    const wanted = ["notifications/resources/updated", "notifications/tools/list_changed"];
    expect(readMethods(modern.received)).toEqual(wanted);
    expect(readMethods(legacy.received)).toEqual(wanted);
  });

  test("is told once of all tools that are registered in one turn", async () => {
    const bus = createDistantBus();
    const server = createServer(bus);

    for (let index = 0; index < 100; index += 1) server.tool(`tool-${index}`, {}, () => "");
    await settled();

    expect(bus.published).toEqual(["list/tools"]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new RangeError("no connection");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("no connection"))],
  ])("that %s is told to the owner, and fails no call", async (_, publish) => {
    const failures: unknown[] = [];
    const server = createServer({ publish, subscribe: () => () => undefined }, failures);
    server.tool("grow", {}, () => {
      server.notify.resourceUpdated("test://one");
      return "grown";
    });
    const client = open(server);
    await settled();
    failures.length = 0;

    client.modern("tools/call", { name: "grow", arguments: {} });
    await settled();

    expect(client.received).toMatchObject([{ result: { content: [{ text: "grown" }] } }]);
    expect(failures).toEqual([expect.any(RangeError)]);
  });

  test("that refuses a subscription fails the request to listen, and leaves nothing behind", async () => {
    const failures: unknown[] = [];
    const bus: Bus = {
      publish: () => undefined,
      subscribe(topic) {
        if (topic === "resource/test://one") throw new RangeError("too many");
        return () => undefined;
      },
    };
    const server = createServer(bus, failures);
    const client = open(server);

    client.modern("subscriptions/listen", {
      notifications: { toolsListChanged: true, resourceSubscriptions: ["test://one"] },
    });
    await settled();

    expect(client.received).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(failures).toEqual([expect.any(RangeError)]);
    expect(server.inside.core.changes.size).toBe(0);
  });
});

test.each([{}, { publish: () => undefined }, "bus", null])("a bus that is none is refused: %j", (bus) => {
  expect(() => new MCPServer({ name: "test", version: "1", bus: bus as unknown as Bus })).toThrow(
    expect.objectContaining({ code: "invalid_options" }),
  );
});

function readMethods(messages: readonly JsonObject[]): unknown[] {
  return messages.map(({ method }) => method).sort();
}
