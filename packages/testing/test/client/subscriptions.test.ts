import { describe, expect, test, vi } from "vitest";
import { SUBSCRIPTION_WAYS } from "./subscription-ways.js";

const TOOLS = expect.objectContaining({ method: "notifications/tools/list_changed" });
const update = (uri: string): unknown =>
  expect.objectContaining({
    method: "notifications/resources/updated",
    params: expect.objectContaining({ uri }),
  });

describe.each(SUBSCRIPTION_WAYS)("a subscription, $name,", (way) => {
  test("gives the changes that were asked for, and no others", async () => {
    const { server, client } = await way.open();
    const changes = await client.subscribe({ toolsListChanged: true, resourceSubscriptions: ["docs://a"] });

    server.notify.resourceUpdated("docs://b");
    server.notify.resourcesChanged();
    server.notify.resourceUpdated("docs://a");
    await vi.waitFor(() => server.notify.toolsChanged());
    const seen: unknown[] = [];
    for await (const change of changes) if (seen.push(change) === 2) break;

    expect(changes.honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ["docs://a"] });
    expect(seen).toEqual(expect.arrayContaining([TOOLS, update("docs://a")]));
    expect(await changes.closed).toEqual({ reason: "closed" });
  });

  test("leaves out what the server does not offer", async () => {
    const { client } = await way.open();

    const { honored } = await client.subscribe({ toolsListChanged: true, promptsListChanged: true });

    expect(honored).toEqual({ toolsListChanged: true });
  });

  test("is refused when the server offers nothing of what is asked for", async () => {
    const { client } = await way.open();

    await expect(client.subscribe({ promptsListChanged: true })).rejects.toMatchObject({ code: "not_offered" });
  });

  test("lives beside others, and each hears its own", async () => {
    const { server, client } = await way.open();
    const [onTools, onA, onAToo] = [vi.fn(), vi.fn(), vi.fn()];
    const tools = await client.subscribe({ toolsListChanged: true }, { onChange: onTools });
    const first = await client.subscribe({ resourceSubscriptions: ["docs://a"] }, { onChange: onA });
    await client.subscribe({ resourceSubscriptions: ["docs://a"] }, { onChange: onAToo });

    server.notify.resourceUpdated("docs://a");
    await vi.waitFor(() => expect(onAToo).toHaveBeenCalledTimes(1));
    await first.close();
    server.notify.resourceUpdated("docs://a");
    server.notify.toolsChanged();
    await vi.waitFor(() => expect(onTools).toHaveBeenCalledExactlyOnceWith(TOOLS));
    await vi.waitFor(() => expect(onAToo).toHaveBeenCalledTimes(2));
    await tools.close();

    expect(onA).toHaveBeenCalledTimes(1);
  });

  test("is opened again after it broke, and tells of both", async () => {
    const { server, client, cut, resumes } = await way.open();
    const [onChange, onLost, onRestored] = [vi.fn(), vi.fn(), vi.fn()];
    await client.subscribe({ toolsListChanged: true }, { onChange, onLost, onRestored });

    cut?.();
    await vi.waitFor(() => expect(resumes || onRestored.mock.calls.length === 1).toBe(true), { timeout: 4_000 });
    server.notify.toolsChanged();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(TOOLS), { timeout: 4_000 });

    expect(onLost).toHaveBeenCalledTimes(onRestored.mock.calls.length);
  });

  test("ends with the client", async () => {
    const { client } = await way.open();
    const changes = await client.subscribe({ toolsListChanged: true });
    const next = changes[Symbol.asyncIterator]().next();

    await client.close();

    expect(await changes.closed).toEqual({ reason: "client_closed" });
    expect(await next).toEqual({ value: undefined, done: true });
  });

  test("ends by its signal", async () => {
    const { client } = await way.open();
    const stop = new AbortController();
    const changes = await client.subscribe({ toolsListChanged: true }, { signal: stop.signal });

    stop.abort();

    expect(await changes.closed).toEqual({ reason: "aborted" });
  });
});

describe.each(SUBSCRIPTION_WAYS.filter(({ name }) => name.startsWith("modern")))("a server, $name,", (way) => {
  test("that is closed ends its subscriptions on purpose", async () => {
    const { server, client } = await way.open();
    const onLost = vi.fn();
    const changes = await client.subscribe({ toolsListChanged: true }, { onLost });

    server.notify.toolsChanged();
    await server.close();
    const seen: unknown[] = [];
    for await (const change of changes) seen.push(change);

    expect(await changes.closed).toEqual({ reason: "server_ended" });
    expect(seen).toEqual([TOOLS]);
    expect(onLost).not.toHaveBeenCalled();
  });

  test("forgets a subscription that was closed", async () => {
    const { server, client } = await way.open();
    const onChange = vi.fn();
    const closed = await client.subscribe({ toolsListChanged: true }, { onChange });
    const other = await client.subscribe({ toolsListChanged: true });

    await closed.close();
    server.notify.toolsChanged();
    await other[Symbol.asyncIterator]().next();

    expect(onChange).not.toHaveBeenCalled();
  });
});
