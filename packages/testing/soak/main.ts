import type { Check, Scale } from "./checks.js";
import { crowds } from "./crowds.js";
import { mixedRequests } from "./mixed-requests.js";
import { slowReaders } from "./slow-readers.js";
import { unreadAnswers } from "./unread-answers.js";

const CHECKS: readonly Check[] = [...crowds, ...slowReaders, unreadAnswers, ...mixedRequests];
/** Enough to see what grows, in about a minute. */
const MODEST: Scale = { crowd: 250, churnMs: 12_000, flood: 64, requests: 10_000 };
const FULL: Scale = { crowd: 1_000, churnMs: 60_000, flood: 256, requests: 100_000 };

/**
 * Runs every check, or those whose name contains one of the arguments. `--full` takes the full counts. Prints one line for each.
 */
export async function soak(args: readonly string[]): Promise<{ passed: number; failed: number }> {
  const scale = args.includes("--full") ? FULL : MODEST;
  const wanted = args.filter((arg) => arg !== "--full");
  const counts = { passed: 0, failed: 0 };
  for (const check of CHECKS) {
    if (wanted.length > 0 && !wanted.some((part) => check.name.includes(part))) continue;
    if (await holds(check, scale)) counts.passed += 1;
    else counts.failed += 1;
  }
  return counts;
}

async function holds({ name, run }: Check, scale: Scale): Promise<boolean> {
  const begun = performance.now();
  const seconds = (): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
  try {
    const line = await run(scale);
    console.log(`✓ ${name} (${seconds()})\n    ${line}`);
    return true;
  } catch (error) {
    console.log(`✗ ${name} (${seconds()})\n    ${describe(error)}`);
    return false;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
