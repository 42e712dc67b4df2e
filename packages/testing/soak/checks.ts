import type { HttpOptions } from "@mortise/node";
import { type Subject, startSubject } from "./subject.js";

/** How much is done. */
export interface Scale {
  /** Open streams, and open sessions. */
  readonly crowd: number;
  /** How long they come and go, in milliseconds. */
  readonly churnMs: number;
  /** Megabytes that a reader does not read. */
  readonly flood: number;
  /** Requests of every kind. */
  readonly requests: number;
}

/** One thing that has to hold. */
export interface Check {
  readonly name: string;
  /** Gives a line of what was measured. Throws where it does not hold. */
  run(scale: Scale): Promise<string>;
}

const MEBIBYTE = 1_048_576;

/** Writes a number of bytes for people. */
export function formatBytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(2)} MiB`;
}

/** Throws unless something holds. */
export function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const MIN_ROUNDS = 3;
const MAX_ROUNDS = 6;

/**
 * Does something again and again until the heap stays at a level: at first an engine's own memory grows, since it goes on to
 * compile. Gives the level.
 */
export async function findLevel(subject: Subject, round: () => Promise<unknown>): Promise<number> {
  let level = 0;
  for (let rounds = 1; rounds <= MAX_ROUNDS; rounds += 1) {
    await round();
    const before = level;
    level = (await subject.settle()).heapUsed;
    if (rounds >= MIN_ROUNDS && level < before * 1.01) break;
  }
  return level;
}

/** Throws unless a level has come back to what it was, within a tenth. Gives a line of both. */
export function demandReturn(before: number, after: number): string {
  const share = `${((after / before - 1) * 100).toFixed(1)} %`;
  const line = `heap ${formatBytes(before)} before, ${formatBytes(after)} after (${share})`;
  demand(after <= before * 1.1, `Expected the heap to return to within 10 %: ${line}`);
  return line;
}

/** Starts a server, does something with it, and ends it. Throws where the server has complained. */
export async function withSubject(
  options: Partial<HttpOptions>,
  work: (subject: Subject) => Promise<string>,
): Promise<string> {
  const subject = await startSubject(options);
  const [worked] = await Promise.allSettled([work(subject)]);
  const complaints = await subject.stop();
  if (worked.status === "rejected") throw worked.reason;
  demand(complaints.length === 0, `Expected no complaints, received ${complaints.length}: ${complaints[0]}`);
  return worked.value;
}
