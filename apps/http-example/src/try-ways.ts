import { type ClientOptions, type ConnectResult, MCPClient } from "@mortise/client";
import { TOOL_CHECKS } from "./tool-checks.js";

/** A way to reach the example server, and the protocol to speak on it. */
export interface Way {
  readonly path: "HTTP" | "stdio";
  readonly era: "modern" | "legacy";
  readonly target: { readonly url: string } | { readonly command: string; readonly args: readonly string[] };
}

/** What became of one way. */
export interface Trial {
  readonly way: Way;
  /** The protocol version that both sides agreed on. */
  readonly revision: string;
  /** The tools that answered as they should. */
  readonly right: readonly string[];
  /** What was wrong; nothing if all went well. */
  readonly problem: string | undefined;
  /** From opening the connection to the last answer. */
  readonly milliseconds: number;
}

const PATIENCE_MS = 5_000;

/** Tries one way after the other, so that their times can be compared. Gives up between two of them when told to stop. */
export async function tryWays(ways: readonly Way[], stop: AbortSignal): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const way of ways) {
    if (!stop.aborted) trials.push(await tryWay(way));
  }
  return trials;
}

/** Connects in one way, calls every tool of the example server, and compares the answers with what they should be. */
async function tryWay(way: Way): Promise<Trial> {
  const options: ClientOptions = {
    ...way.target,
    era: way.era,
    timeout: PATIENCE_MS,
    clientInfo: { name: "mortise-demo", version: "0.1.0" },
  };
  const client = new MCPClient(options);
  const right: string[] = [];
  const start = performance.now();
  let revision = "";
  let problem: string | undefined;
  try {
    revision = expectEra(way, await client.connect());
    for (const [tool, check] of Object.entries(TOOL_CHECKS)) {
      await check(client).catch(prefixWith(tool));
      right.push(tool);
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const milliseconds = performance.now() - start;
  await client.close();
  return { way, revision, right, problem, milliseconds };
}

function expectEra({ era: expected }: Way, { era, protocolVersion }: ConnectResult): string {
  if (era === expected) return protocolVersion;
  throw new Error(`expected the ${expected} protocol, received ${era} ${protocolVersion}`);
}

function prefixWith(tool: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${tool}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  };
}
