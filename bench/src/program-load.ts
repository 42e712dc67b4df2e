import type { Contender, Running, Slice } from "./contender.js";
import { type Program, startProgram } from "./process.js";

/** A program that puts load on itself: a fetch handler called in its own process. */
export function createFetchContender(name: Contender["name"], inFlight: number): Contender {
  return {
    name,
    async start() {
      const program = startProgram(`servers/fetch-${name}.js`, ["greet"]);
      return createSelfDriven(program, inFlight, []);
    },
  };
}

/** A client that calls one plain server; what is measured is the client's process. */
export function createClientContender(
  name: Contender["name"],
  { inFlight, platform = "node" }: { inFlight: number; platform?: "node" | "fetch" },
): Contender {
  return {
    name,
    async start() {
      const server = startProgram("servers/http-plain.js", ["greet"]);
      const port = await server.ask<number>({ ask: "port" });
      const client = startProgram(`clients/${name}${platform === "fetch" ? "-fetch" : ""}.js`, [String(port)]);
      return createSelfDriven(client, inFlight, [server]);
    },
  };
}

function createSelfDriven(program: Program, inFlight: number, others: readonly Program[]): Running {
  return {
    slice: (ms) => program.ask<Slice>({ ask: "run", ms, inFlight }),
    async stop() {
      await program.stop();
      for (const other of others) await other.stop();
    },
  };
}
