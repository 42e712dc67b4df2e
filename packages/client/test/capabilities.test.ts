import type { ClientOptions } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { ALL } from "./asking-server.js";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { openClient } from "./open-client.js";

const KEY = "io.modelcontextprotocol/clientCapabilities";

async function declaredToModern(options: Partial<ClientOptions>): Promise<unknown> {
  const fake = await startFake(serveModern());
  await openClient({ ...options, url: fake.url }).ping();
  return fake.log[0]?.message.params?._meta?.[KEY];
}

async function declaredToLegacy(version: string, options: Partial<ClientOptions>): Promise<unknown> {
  const fake = await startFake(serveLegacy({ version }));
  await openClient({ ...options, url: fake.url, era: { pin: version } }).ping();
  return fake.log[0]?.message.params?.capabilities;
}

describe("what the handlers can do is declared", () => {
  test("to modern servers", async () => {
    expect(await declaredToModern(ALL)).toEqual({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
      roots: {},
    });
  });

  test.each([
    ["2025-11-25", { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: { listChanged: true } }],
    ["2025-06-18", { elicitation: {}, sampling: {}, roots: { listChanged: true } }],
    ["2025-03-26", { sampling: {}, roots: { listChanged: true } }],
    ["2024-11-05", { sampling: {}, roots: { listChanged: true } }],
  ])("to servers of %s, as far as the revision knows it", async (version, expected) => {
    expect(await declaredToLegacy(version, ALL)).toEqual(expected);
  });

  test("one by one", async () => {
    expect(await declaredToModern({ onRoots: () => [] })).toEqual({ roots: {} });
  });

  test("unless capabilities say otherwise", async () => {
    const capabilities = { sampling: {}, extensions: { "vendor/x": {} } };

    expect(await declaredToModern({ onSample: ALL.onSample, capabilities })).toEqual(capabilities);
  });

  test("and nothing without handlers", async () => {
    expect(await declaredToModern({})).toEqual({});
  });
});
