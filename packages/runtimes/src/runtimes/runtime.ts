import type { Outcome, Targets } from "../smoke/check.js";

/** A runtime that the suite is run in. */
export interface Runtime {
  readonly name: string;
  readonly processes: Targets["processes"];
  /** Starts the runtime, runs the suite, and ends it. Rejects, with what the runtime said, when no outcomes come. */
  runSuite(targets: Targets): Promise<Outcome[]>;
}
