import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STDIO_SERVER } from "../src/build-programs.js";
import { findClosedPort } from "../src/listening.js";
import { type LoginServers, startLoginServers } from "../src/login-server.js";
import { type RunningServers, startMortiseServers } from "../src/mortise-servers.js";
import { CHROMIUM } from "../src/runtimes/chromium.js";
import { COMMAND_LINES } from "../src/runtimes/command-line.js";
import { WORKERD } from "../src/runtimes/workerd.js";
import type { Outcome } from "../src/smoke/check.js";
import { SUITE } from "../src/smoke/suite.js";

describe.each([...COMMAND_LINES, WORKERD, ...CHROMIUM])("in $name the client", ({ runSuite, processes }) => {
  let servers: RunningServers;
  let logins: LoginServers;
  let outcomes: readonly Outcome[];

  beforeAll(async () => {
    servers = await startMortiseServers();
    logins = await startLoginServers();
    const { modern, legacy, sse, log } = servers;
    const closed = `http://127.0.0.1:${await findClosedPort()}/mcp`;
    const program = [process.execPath, STDIO_SERVER] as const;
    const { url, client } = logins;
    const guarded = { url, client };
    outcomes = await runSuite({ modern, legacy, sse, log, guarded, closed, program, processes });
  }, 90_000);
  afterAll(async () => {
    await Promise.all([servers.stop(), logins.stop()]);
  });

  test.each(SUITE.map(({ name }) => name))("%s", (name) => {
    expect(outcomes.find((outcome) => outcome.name === name)).toEqual({ name });
  });
});
