import type { SubscribeOptions, SubscriptionFilter } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveListening } from "./listening-server.js";
import { failureOf, openClient } from "./open-client.js";

const wrong = (value: unknown): SubscriptionFilter => value as SubscriptionFilter;
const filters: [string, unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["a list", ["toolsListChanged"]],
  ["an empty object", {}],
  ["flags that are all off", { toolsListChanged: false, resourceSubscriptions: [] }],
  ["a flag that is text", { toolsListChanged: "yes" }],
  ["an address instead of a list", { resourceSubscriptions: "docs://a" }],
  ["addresses that are no text", { resourceSubscriptions: [new URL("docs://a")] }],
  ["an empty address", { resourceSubscriptions: [""] }],
];
const options: [string, unknown][] = [
  ["a negative timeout", { timeout: -1 }],
  ["a buffer of nothing", { maxPending: 0 }],
  ["half an attempt", { maxAttempts: 0.5 }],
  ["a callback that is none", { onChange: "log" }],
  ["another that is none", { onRestored: {} }],
  ["a signal that is none", { signal: {} }],
];

describe("what a subscription is asked for with", () => {
  test.each(filters)("must not be %s", async (_, filter) => {
    const fake = await startFake(serveListening([]));
    const client = openClient(fake.url);

    expect(await failureOf(client.subscribe(wrong(filter)))).toMatchObject({ code: "invalid_options" });
    expect(fake.log).toEqual([]);
  });

  test.each(options)("must not be %s", async (_, given) => {
    const fake = await startFake(serveListening([]));
    const client = openClient(fake.url);

    const failure = await failureOf(client.subscribe({ toolsListChanged: true }, given as SubscribeOptions));

    expect(failure).toMatchObject({ code: "invalid_options" });
    expect(fake.log).toEqual([]);
  });
});
