import { Worker } from "node:worker_threads";

/** A regular expression of JavaScript. */
export interface RegexSource {
  readonly pattern: string;
  readonly flags: string;
}

/** What became of one text. */
export type TextOutcome =
  | { readonly outcome: "match"; readonly matched: string }
  | { readonly outcome: "no match" | "timed out" | "not run" };

/** How long one text may take, in milliseconds. */
const TEXT_MS = 1000;
/** How long the thread may take until it is there, in milliseconds: a busy machine is slow. */
const START_MS = 20_000;
const MEMORY_MB = 64;

/** Runs in a thread of its own, since nothing else can end an expression that goes on for ever. */
const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const { pattern, flags, texts } = workerData;
const regex = new RegExp(pattern, flags);
parentPort.postMessage("ready");
for (const text of texts) {
  parentPort.postMessage(search(text));
}
function search(text) {
  regex.lastIndex = 0;
  try {
    const found = regex.exec(text);
    return found === null ? { outcome: "no match" } : { outcome: "match", matched: found[0] };
  } catch {
    return { outcome: "not run" }; // too large to be compiled
  }
}
`;

/**
 * Runs a regular expression of JavaScript on texts, in a thread that is ended when one takes longer than a second: its outcome is
 * then "timed out", and that of the texts after it "not run". Rejects with the signal's reason, and with `SyntaxError` for an
 * expression that is none.
 */
export async function runRegex(
  source: RegexSource,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly TextOutcome[]> {
  // The thread would say the same, later.
  new RegExp(source.pattern, source.flags);
  signal.throwIfAborted();
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { ...source, texts },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    const outcomes = await collectOutcomes(worker, texts.length, signal);
    return texts.map((_, index): TextOutcome => {
      return outcomes[index] ?? { outcome: index === outcomes.length ? "timed out" : "not run" };
    });
  } finally {
    await worker.terminate();
  }
}

/** Waits for as many outcomes as there are texts, or for the first that does not come in time. */
function collectOutcomes(worker: Worker, count: number, signal: AbortSignal): Promise<readonly TextOutcome[]> {
  const outcomes: TextOutcome[] = [];
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (() => void) | undefined;
  return new Promise<readonly TextOutcome[]>((resolve, reject) => {
    giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    timer = setTimeout(() => reject(new Error("The thread that runs expressions did not start")), START_MS);
    // Only what the program above sends.
    worker.on("message", (message: "ready" | TextOutcome) => {
      clearTimeout(timer);
      if (message !== "ready") outcomes.push(message);
      if (outcomes.length === count) resolve(outcomes);
      else timer = setTimeout(() => resolve(outcomes), TEXT_MS);
    });
    // It ran out of memory, which is no better than going on for ever.
    worker.on("error", () => resolve(outcomes));
  }).finally(() => {
    clearTimeout(timer);
    if (giveUp !== undefined) signal.removeEventListener("abort", giveUp);
  });
}
