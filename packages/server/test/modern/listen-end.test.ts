import { describe, expect, test } from "vitest";
import { addHeld, open, settled } from "../pipe-client.js";
import { ALL, createServer, listChanged, listen, SUBSCRIPTION, startListening } from "./listening.js";

describe("the end of a stream of changes", () => {
  test("that its client asked for brings no further message", async () => {
    const server = createServer();
    const client = startListening(server, ALL);

    client.notify("notifications/cancelled", { requestId: 1, reason: "enough" });
    server.notify.toolsChanged();
    await settled();

    expect(client.received).toEqual([]);
    expect(client.connection.pending).toBe(0);
    expect(server.inside.core.changes.size).toBe(0);
  });

  test("leaves nothing behind, after ten thousand of them either", () => {
    const server = createServer();
    const client = open(server);

    for (let id = 0; id < 10_000; id += 1) {
      listen(client, { ...ALL, resourceSubscriptions: [`test://${id}`] }, id);
      if (id >= 50) client.notify("notifications/cancelled", { requestId: id - 50 });
    }
    const open50 = [client.connection.pending, server.inside.core.inFlight.size, server.inside.core.changes.size];
    client.connection.close();

    expect(open50).toEqual([50, 50, 53]);
    expect([server.inside.core.inFlight.size, server.inside.core.changes.size]).toEqual([0, 0]);
  });

  test("that the server wants comes with a result which carries the id, after what was due", async () => {
    const server = createServer();
    const client = startListening(server, ALL, "s");

    server.notify.toolsChanged();
    await server.close();

    expect(client.received).toEqual([
      listChanged("tools", "s"),
      {
        jsonrpc: "2.0",
        id: "s",
        result: {
          resultType: "complete",
          _meta: { "io.modelcontextprotocol/serverInfo": expect.anything(), [SUBSCRIPTION]: "s" },
        },
      },
    ]);
    expect(server.inside.core.changes.size).toBe(0);
  });

  test("comes at once when its pipe finishes, while other calls are waited for", async () => {
    const server = createServer();
    const [calls, other] = [addHeld(server), startListening(server, ALL)];
    await settled();
    const client = startListening(server, ALL);
    client.modern("tools/call", { name: "held", arguments: {} }, 2);

    const finished = client.connection.finish();
    await settled();
    const early = client.received.map(({ id }) => id);
    calls[0]?.release();
    await finished;

    expect(early).toEqual([1]);
    expect(client.received.map(({ id }) => id)).toEqual([1, 2]);
    expect(other.connection.pending).toBe(1);
  });

  test("comes with its result where nothing is waited for", async () => {
    const server = createServer();
    const client = startListening(server, ALL);

    await client.connection.finish({ drain: 0 });

    expect(client.received).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
  });

  test("comes for one that middleware still holds up, too", async () => {
    const server = createServer();
    let go = (): void => undefined;
    server.use(async (_, next) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return next();
    });
    const client = open(server);
    listen(client, ALL);

    const finished = client.connection.finish();
    await settled();
    go();
    await finished;

    expect(client.received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      1,
    ]);
  });

  test("lets middleware unwind when the client cancels", async () => {
    const server = createServer();
    const steps: string[] = [];
    server.use(async (_, next) => {
      try {
        return await next();
      } finally {
        steps.push("unwound");
      }
    });
    const client = startListening(server, ALL);

    client.notify("notifications/cancelled", { requestId: 1 });

    await settled();
    expect(steps).toEqual(["unwound"]);
  });
});
