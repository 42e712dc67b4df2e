import { readCpu } from "./answering.js";
import type { Slice } from "./contender.js";

const MAX_CALLS = 400_000;

/** Keeps `inFlight` calls going for `ms` milliseconds and counts what this process spends on them. */
export async function driveSelf(call: () => Promise<void>, ms: number, inFlight: number): Promise<Slice> {
  const cpuBefore = readCpu();
  const started = performance.now();
  let calls = 0;
  async function lane(): Promise<void> {
    while (performance.now() - started < ms && calls < MAX_CALLS) {
      calls += 1;
      await call();
    }
  }
  await Promise.all(Array.from({ length: inFlight }, () => lane()));
  return { calls, elapsedMs: performance.now() - started, cpuUs: readCpu() - cpuBefore };
}
