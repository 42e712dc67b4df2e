import type { Contender, Running, Slice } from "./contender.js";

/** What a contender reached in a workload: the middle of its slices. */
export interface Measured {
  readonly name: Contender["name"];
  readonly callsPerSecond: number;
  readonly cpuPerCall: number;
  readonly msPerCall: number;
  /** Calls whose answer was checked. */
  readonly checked: number;
}

/** How long and how often each contender gets its turn. */
export interface Pace {
  readonly sliceMs: number;
  readonly rounds: number;
  /** Turns before those that count. */
  readonly warmUps: number;
}

/** Gives the contenders equally long turns, A B C A B C, after the warm-up. */
export async function measure(contenders: readonly Contender[], pace: Pace): Promise<Measured[]> {
  const running: { name: Contender["name"]; program: Running; slices: Slice[] }[] = [];
  try {
    for (const contender of contenders)
      running.push({ name: contender.name, program: await contender.start(), slices: [] });
    for (let round = -pace.warmUps; round < pace.rounds; round += 1) {
      for (const { name, program, slices } of running) {
        const slice = await program.slice(pace.sliceMs).catch((error: unknown) => {
          throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
        });
        if (round >= 0) slices.push(slice);
      }
    }
    return running.map(({ name, slices }) => summarize(name, slices));
  } finally {
    for (const { program } of running) await program.stop();
  }
}

function summarize(name: Contender["name"], slices: readonly Slice[]): Measured {
  return {
    name,
    callsPerSecond: median(slices.map(({ calls, elapsedMs }) => (calls / elapsedMs) * 1000)),
    cpuPerCall: median(slices.map(({ calls, cpuUs }) => cpuUs / calls)),
    msPerCall: median(slices.map(({ calls, elapsedMs }) => elapsedMs / calls)),
    checked: slices.reduce((sum, { calls }) => sum + calls, 0),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2;
}
