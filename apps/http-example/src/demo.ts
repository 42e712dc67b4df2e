// What `npm start` shows: the example server, called in every way there is, and how to add it to a host. It serves until
// Ctrl-C; with --once it ends after the table. The exit code is 0 only if every answer was right.
import { once as nextEvent } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { MortiseError } from "@mortise/client";
import { formatRegistration } from "./registration.js";
import { explainFailure, readPort, startServer } from "./start-server.js";
import { formatTable } from "./table.js";
import { tryWays, type Way } from "./try-ways.js";

/** The same tools on stdio, as a program of their own. */
const PROGRAM = fileURLToPath(new URL("../../stdio-example/dist/server.js", import.meta.url));

try {
  process.exitCode = await main(readArguments());
} catch (error) {
  if (!isForTheUser(error)) throw error;
  console.error(explainFailure(error));
  process.exitCode = 1;
}

async function main({ once }: { readonly once: boolean }): Promise<number> {
  const stop = listenForStop();
  const { server, url } = await startServer(readPort());
  console.log(`The example server is on ${url}. Calling its tools every way there is:\n`);
  const ways = listWays(url);
  const trials = await tryWays(ways, stop);
  console.log(formatTable(trials).join("\n"));
  const allRight = trials.every(({ problem }) => problem === undefined);
  if (allRight && !once && !stop.aborted) {
    console.log(`\n${formatRegistration({ program: PROGRAM, url }).join("\n")}`);
    console.log(`Serving on ${url} until Ctrl-C.`);
    await nextEvent(stop, "abort");
  }
  await server.close();
  return allRight && (!once || trials.length === ways.length) ? 0 : 1;
}

function listWays(url: string): readonly Way[] {
  const program = { command: process.execPath, args: [PROGRAM] };
  return [
    { path: "HTTP", era: "modern", target: { url } },
    { path: "HTTP", era: "legacy", target: { url } },
    { path: "stdio", era: "modern", target: program },
    { path: "stdio", era: "legacy", target: program },
  ];
}

function readArguments(): { readonly once: boolean } {
  const { values } = parseArgs({ options: { once: { type: "boolean", default: false } } });
  return values;
}

function listenForStop(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** A taken port and an argument that does not exist are nobody's bug: their message is enough. */
function isForTheUser(error: unknown): error is Error {
  if (error instanceof MortiseError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
