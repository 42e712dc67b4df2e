import { expect, test, vi } from "vitest";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

// What says why a request was refused is loaded with the first refusal, and here it never comes.
vi.mock("../src/refused-answer.js", () => new Promise(() => undefined));

test("a refusal that cannot be read in time is a timeout", async () => {
  const broken = serveModern({ "tools/call": ({ error }) => error(-32603, "broken") });
  const client = openClient((await startFake(broken)).url);
  await client.connect();

  expect(await failureOf(client.callTool("echo", {}, { timeout: 60 }))).toMatchObject({ timeoutMs: 60 });
});
