import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../src/start-server.js";
import { tryWays, type Way } from "../src/try-ways.js";

const NEVER = new AbortController().signal;

test.each(["modern", "legacy"] as const)(
  "finds nothing wrong with the example server, spoken to in the %s protocol",
  async (era) => {
    const { server, url } = await startServer(0);
    onTestFinished(() => server.close());

    const [trial] = await tryWays([{ path: "HTTP", era, target: { url } }], NEVER);

    expect(trial?.problem).toBeUndefined();
    expect(trial?.right).toEqual(["greet", "show_content", "count", "fail", "slow"]);
  },
);

test("names the tool that answers something else than it should", async () => {
  const way = await serveImpostor();

  const [trial] = await tryWays([way], NEVER);

  expect(trial?.problem).toMatch(/^show_content: /);
  expect(trial?.right).toEqual(["greet"]);
});

test("tells that a server cannot be reached", async () => {
  const way: Way = { path: "stdio", era: "modern", target: { command: process.execPath, args: ["--eval", "0"] } };

  const [trial] = await tryWays([way], NEVER);

  expect(trial?.problem).not.toBeUndefined();
  expect(trial?.right).toEqual([]);
});

test("tries nothing more once it is told to stop", async () => {
  const way = await serveImpostor();

  const trials = await tryWays([way, way], AbortSignal.abort());

  expect(trials).toEqual([]);
});

/** A server whose first tool is right and whose second is not. */
async function serveImpostor(): Promise<Way> {
  const server = new MCPServer({ name: "impostor", version: "1.0.0" });
  server.tool("greet", { input: { type: "object" } }, () => ({ message: "Hello, Ada!" }));
  server.tool("show_content", {}, () => "Nothing to see");
  const { url } = await server.listen(http({ port: 0 }));
  onTestFinished(() => server.close());
  return { path: "HTTP", era: "modern", target: { url } };
}
