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
  /** Before the turns that count, each contender runs until it has made this many calls, or for this many slices. */
  readonly warmUp: { readonly calls: number; readonly slices: number };
}

/** Gives the contenders equally long turns, A B C A B C, after the warm-up. */
export async function measure(contenders: readonly Contender[], pace: Pace): Promise<Measured[]> {
  const running: { name: Contender["name"]; program: Running; slices: Slice[] }[] = [];
  try {
    for (const contender of contenders)
      running.push({ name: contender.name, program: await contender.start(), slices: [] });
    for (const { name, program } of running) await warmUp(name, program, pace);
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const { name, program, slices } of running) slices.push(await runSlice(name, program, pace.sliceMs));
    }
    return running.map(({ name, slices }) => summarize(name, slices));
  } finally {
    for (const { program } of running) await program.stop();
  }
}

async function warmUp(
  name: Contender["name"],
  program: Running,
  { sliceMs, warmUp: { calls, slices } }: Pace,
): Promise<void> {
  let made = 0;
  for (let slice = 0; slice < slices && made < calls; slice += 1)
    made += (await runSlice(name, program, sliceMs)).calls;
}

function runSlice(name: Contender["name"], program: Running, ms: number): Promise<Slice> {
  return program.slice(ms).catch((error: unknown) => {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
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
