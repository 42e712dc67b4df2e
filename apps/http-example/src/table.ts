import type { Trial } from "./try-ways.js";

/** The columns, in the order of the cells below. The last one is a number and stands to the right. */
const HEADINGS = ["path", "era", "revision", "result", "ms"];

/** Formats trials as a table: a line of headings, then a line for each. */
export function formatTable(trials: readonly Trial[]): string[] {
  const rows = [HEADINGS, ...trials.map(toCells)];
  const widths = HEADINGS.map((_heading, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => align(cell, widths[column] ?? 0, column === HEADINGS.length - 1));
    return `  ${cells.join("   ")}`.trimEnd();
  });
}

function toCells({ way, revision, right, problem, milliseconds }: Trial): string[] {
  const result = problem === undefined ? `✓ ${right.join(", ")}` : `✗ ${problem}`;
  return [way.path, way.era, revision || "none", result, milliseconds.toFixed(0)];
}

function align(cell: string, width: number, toRight: boolean): string {
  return toRight ? cell.padStart(width) : cell.padEnd(width);
}
