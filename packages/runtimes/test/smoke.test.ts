import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STDIO_SERVER } from "../src/build-programs.js";
import { findClosedPort } from "../src/listening.js";
import { type RunningServers, startMortiseServers } from "../src/mortise-servers.js";
import { CHROMIUM } from "../src/runtimes/chromium.js";
import { COMMAND_LINES } from "../src/runtimes/command-line.js";
import { WORKERD } from "../src/runtimes/workerd.js";
import type { Outcome } from "../src/smoke/check.js";
import { SUITE } from "../src/smoke/suite.js";

describe.each([...COMMAND_LINES, WORKERD, ...CHROMIUM])("in $name the client", ({ runSuite, processes }) => {
  let servers: RunningServers;
  let outcomes: readonly Outcome[];

  beforeAll(async () => {
    servers = await startMortiseServers();
    const { modern, legacy, sse, log } = servers;
    const closed = `http://127.0.0.1:${await findClosedPort()}/mcp`;
    const program = [process.execPath, STDIO_SERVER] as const;
    outcomes = await runSuite({ modern, legacy, sse, log, closed, program, processes });
  }, 90_000);
  afterAll(async () => {
    await servers.stop();
  });

  test.each(SUITE.map(({ name }) => name))("%s", (name) => {
    expect(outcomes.find((outcome) => outcome.name === name)).toEqual({ name });
  });
});
