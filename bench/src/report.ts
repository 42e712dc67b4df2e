import { BARS } from "./bars.js";
import type { Measured } from "./slices.js";
import type { Workload } from "./workloads.js";

const WIDTHS = [10, 11, 12, 10, 9, 9, 16] as const;

/** Prints one workload and says whether Mortise reached its bar; `undefined` when there is nothing to compare. */
export function reportWorkload(
  workload: Workload,
  measured: readonly Measured[],
  { judged: isJudged }: { judged: boolean },
): boolean | undefined {
  const plain = measured.find(({ name }) => name === "plain");
  if (plain === undefined) throw new Error("Expected plain code in every workload");
  console.log(`\n${workload.title} (${workload.name})`);
  console.log(row(["", "calls/s", "CPU µs/call", "ms/call", "rate ×", "CPU ×", "bar"]));
  let verdict: boolean | undefined;
  for (const entry of measured) {
    const judged = isJudged && entry.name === "mortise" ? judge(workload, entry, plain) : undefined;
    verdict ??= judged?.reached;
    console.log(
      row([
        entry.name,
        entry.callsPerSecond.toFixed(0),
        Number.isNaN(entry.cpuPerCall) ? "–" : entry.cpuPerCall.toFixed(1),
        entry.msPerCall.toFixed(3),
        (entry.callsPerSecond / plain.callsPerSecond).toFixed(2),
        Number.isNaN(entry.cpuPerCall) ? "–" : (entry.cpuPerCall / plain.cpuPerCall).toFixed(2),
        judged?.text ?? "",
      ]),
    );
  }
  return verdict;
}

function judge(workload: Workload, ours: Measured, plain: Measured): { text: string; reached: boolean } | undefined {
  const bar = BARS[workload.name];
  if (bar === undefined) return undefined;
  if (bar.kind === "extra") {
    const extra = ours.msPerCall - plain.msPerCall;
    return verdict(`${extra.toFixed(1)} ms ≤ ${bar.limit}`, extra <= bar.limit);
  }
  const cost = workload.by === "cpu" ? ours.cpuPerCall / plain.cpuPerCall : ours.msPerCall / plain.msPerCall;
  if (bar.kind === "cost") return verdict(`${cost.toFixed(2)} ≤ ${bar.limit}`, cost <= bar.limit);
  return verdict(`${(1 / cost).toFixed(2)} ≥ ${bar.limit}`, 1 / cost >= bar.limit);
}

function verdict(text: string, reached: boolean): { text: string; reached: boolean } {
  return { text: `${text} ${reached ? "pass" : "MISS"}`, reached };
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => (index === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[index] ?? 10)))
    .join(" ");
}
