import { describe, expect, test } from "vitest";
import { modern, modernMeta } from "../eras.js";
import { open, settled } from "../pipe-client.js";
import { ALL, createServer, listChanged, listen, startListening, updated } from "./listening.js";

describe("a stream of changes", () => {
  test("tells of each list that was asked for, and of no other", async () => {
    const server = createServer();
    const all = startListening(server, ALL, "all");
    const tools = startListening(server, { toolsListChanged: true }, "tools");

    server.notify.toolsChanged();
    server.notify.promptsChanged();
    server.notify.resourcesChanged();
    await settled();

    expect(all.received).toEqual(["tools", "prompts", "resources"].map((feature) => listChanged(feature, "all")));
    expect(tools.received).toEqual([listChanged("tools", "tools")]);
  });

  test("tells of the resources that were asked for, and of no other", async () => {
    const server = createServer();
    const client = startListening(server, { resourceSubscriptions: ["test://one", "test://later"] });

    server.notify.resourceUpdated("test://one");
    server.notify.resourceUpdated("test://two");
    server.notify.resourceUpdated("test://later");
    server.notify.resourcesChanged();
    await settled();

    expect(client.received).toEqual([updated("test://one", 1), updated("test://later", 1)]);
  });

  test("does not tell of a resource that its caller may not know of, and acknowledges it like an unknown one", async () => {
    const server = createServer();
    const visible = ({ principal }: { readonly principal: string | undefined }): boolean => principal === "ann";
    server.resource("test://secret", { visible }, () => "secret");
    server.resource("test://secrets/{id}", { visible }, () => "secret");
    await settled();
    const uris = ["test://secret", "test://secrets/1", "test://one"];
    const heard = new Map<string, unknown[]>();
    const abort = new AbortController();
    for (const principal of ["ann", "bob"]) {
      const notices: unknown[] = [];
      heard.set(principal, notices);
      const options = { principal, signal: abort.signal, send: (notice: unknown) => void notices.push(notice) };
      void modern.ask(server, "subscriptions/listen", { notifications: { resourceSubscriptions: uris } }, options);
    }
    await settled();

    for (const uri of uris) server.notify.resourceUpdated(uri);
    await settled();
    abort.abort();

    expect(heard.get("bob")).toMatchObject([
      { params: { notifications: { resourceSubscriptions: uris } } },
      { params: { uri: "test://one" } },
    ]);
    expect(heard.get("ann")).toHaveLength(4);
  });

  test("tells once of several changes in one turn", async () => {
    const server = createServer();
    const client = startListening(server, { ...ALL, resourceSubscriptions: ["test://one"] });

    for (let index = 0; index < 5; index += 1) {
      server.tool(`tool-${index}`, {}, () => "");
      server.notify.resourceUpdated("test://one");
    }
    await settled();

    expect(client.received).toHaveLength(2);
    expect(client.received).toEqual(expect.arrayContaining([listChanged("tools", 1), updated("test://one", 1)]));
  });

  test("tells of a change that a handler makes in the turn in which the stream is opened", async () => {
    const server = createServer();
    server.tool("grow", {}, () => {
      server.tool("grown", {}, () => "");
      return "done";
    });
    await settled();
    const client = open(server);

    listen(client, { toolsListChanged: true }, "listen");
    client.modern("tools/call", { name: "grow", arguments: {} }, "call");
    await settled();

    expect(client.received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "call",
      "notifications/tools/list_changed",
    ]);
  });

  test("does not tell of changes made before it was asked for", async () => {
    const server = createServer();
    const client = open(server);

    server.tool("early", {}, () => "");
    server.notify.resourceUpdated("test://one");
    listen(client, { ...ALL, resourceSubscriptions: ["test://one"] });
    await settled();

    expect(client.received).toHaveLength(1);
  });

  test("carries neither progress nor log messages of other requests", async () => {
    const server = createServer();
    server.tool("busy", {}, (_, { log, progress }) => {
      void log("error", "trouble");
      void progress(1);
      return "done";
    });
    await settled();
    const client = startListening(server, ALL);
    const other = open(server);

    other.modern("tools/call", { name: "busy", arguments: {}, _meta: { progressToken: 1 } });
    await settled();

    expect(client.received).toEqual([]);
  });

  test("exists several times on one pipe, each with its own id and filter", async () => {
    const server = createServer();
    const client = open(server);
    for (let id = 0; id < 20; id += 1) listen(client, id % 2 === 0 ? { toolsListChanged: true } : ALL, id);
    client.received.length = 0;

    server.notify.promptsChanged();
    await settled();

    expect(client.received).toEqual(Array.from({ length: 10 }, (_, index) => listChanged("prompts", index * 2 + 1)));
  });

  test("keeps streams of different clients apart that have the same id", async () => {
    const server = createServer();
    const first = startListening(server, { toolsListChanged: true }, 1);
    const second = startListening(server, { promptsListChanged: true }, 1);

    first.notify("notifications/cancelled", { requestId: 1 });
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    await settled();

    expect(first.received).toEqual([]);
    expect(second.received).toEqual([listChanged("prompts", 1)]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new RangeError("broken");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("broken"))],
  ])("does not suffer from another reader whose connection %s", async (_, fail) => {
    const failures: unknown[] = [];
    const server = createServer({ onError: (error) => void failures.push(error) });
    let broken = false;
    const abort = new AbortController();
    const send = (): void | Promise<void> => (broken ? fail() : undefined);
    void modern.ask(server, "subscriptions/listen", { notifications: ALL }, { send, signal: abort.signal });
    await settled();
    const client = startListening(server, { toolsListChanged: true });
    broken = true;

    server.notify.toolsChanged();
    await settled();
    abort.abort();

    expect(client.received).toHaveLength(1);
    expect(failures).toEqual([expect.any(RangeError)]);
  });
});

test("a stream on a pipe whose reader is far behind loses no kind of change", async () => {
  const server = createServer();
  const written: string[] = [];
  let backlog = 0;
  let caughtUp = (): void => undefined;
  const connection = server.connectPipe({
    transport: "memory",
    get backlog() {
      return backlog;
    },
    write(text) {
      written.push(text);
      if (backlog === 0) return;
      return new Promise<void>((resolve) => {
        caughtUp = resolve;
      });
    },
  });
  const params = { notifications: ALL, _meta: modernMeta() };
  connection.receive({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
  written.length = 0;
  backlog = 10_000_000;

  for (let index = 0; index < 1000; index += 1) {
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    await Promise.resolve();
  }
  const before = written.length;
  backlog = 0;
  caughtUp();
  await settled();

  expect(before).toBe(1);
  expect(new Set(written.map((text) => JSON.parse(text).method))).toEqual(
    new Set(["notifications/tools/list_changed", "notifications/prompts/list_changed"]),
  );
  expect(written.length).toBeLessThanOrEqual(3);
});
