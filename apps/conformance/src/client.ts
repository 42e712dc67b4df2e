/*
 * The client that the official conformance referee judges. The referee starts it once for each scenario, with the address of
 * its server as the last argument and the scenario's name in the environment:
 *
 *   MCP_CONFORMANCE_SCENARIO=tools_call node apps/conformance/dist/client.js http://localhost:3000/mcp
 */

import { MCPClient } from "@mortise/client";
import { type Expectation, readExpectation } from "./client/expectation.js";
import { selectHandler } from "./client/scenarios.js";

try {
  await run(readExpectation(process.env), process.argv.at(-1) ?? "");
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}

async function run(expected: Expectation, url: string): Promise<void> {
  const { options, use } = await selectHandler(expected);
  const client = new MCPClient({
    url,
    era: { pin: expected.protocolVersion },
    onError: (problem) => console.error(problem.message),
    ...options,
  });
  try {
    await use(client, expected);
  } finally {
    await client.close();
  }
}
