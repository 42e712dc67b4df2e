import { readFileSync } from "node:fs";

/** How many clock ticks a second has on Linux, whatever the processor. */
const TICKS_PER_SECOND = 100;

/** The processor time a running process has used, in milliseconds. Where it cannot be read, 0. */
export function readCpuMs(pid: number | undefined): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}
