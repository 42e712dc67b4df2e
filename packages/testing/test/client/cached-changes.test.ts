import { expect, test } from "vitest";
import { SUBSCRIPTION_WAYS, type Watched } from "./subscription-ways.js";

/** Lists resources, and tells whether the server was asked. */
async function list({ client }: Watched, sent: () => number): Promise<{ names: string[]; asked: boolean }> {
  const before = sent();
  const names = (await client.listResources()).map(({ name }) => name);
  return { names, asked: sent() > before };
}

test.each(SUBSCRIPTION_WAYS)("a change that is heard of ends what was kept: $name", async ({ open }) => {
  let sent = 0;
  const trace = (): undefined => {
    sent += 1;
    return undefined;
  };
  const watched = await open({ cache: { legacyTtl: 60_000 }, trace });
  const { client, server } = watched;
  let heard = (): void => undefined;
  const change = new Promise<void>((resolve) => {
    heard = resolve;
  });
  await client.subscribe({ resourcesListChanged: true }, { onChange: heard });

  const first = await list(watched, () => sent);
  const second = await list(watched, () => sent);
  server.resource("docs://c", { name: "c" }, () => "c");
  await change;
  const third = await list(watched, () => sent);

  expect([first, second, third]).toEqual([
    { names: ["a", "b"], asked: true },
    { names: ["a", "b"], asked: false },
    { names: ["a", "b", "c"], asked: true },
  ]);
});

const BREAKABLE = SUBSCRIPTION_WAYS.filter(({ name }) => name.startsWith("modern, over HTTP"));

test.each(BREAKABLE)("changes that may have been missed end what was kept: $name", async ({ open }) => {
  let sent = 0;
  const trace = (): undefined => {
    sent += 1;
    return undefined;
  };
  const watched = await open({ trace });
  let restored = (): void => undefined;
  const isBack = new Promise<void>((resolve) => {
    restored = resolve;
  });
  await watched.client.subscribe({ resourcesListChanged: true }, { onRestored: restored });

  await list(watched, () => sent);
  const kept = await list(watched, () => sent);
  watched.cut?.();
  await isBack;
  const after = await list(watched, () => sent);

  expect([kept.asked, after.asked]).toEqual([false, true]);
});
