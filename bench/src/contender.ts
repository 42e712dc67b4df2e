/** What one slice of load showed. */
export interface Slice {
  readonly calls: number;
  readonly elapsedMs: number;
  /** User and system time of the measured process during the slice, in microseconds. */
  readonly cpuUs: number;
}

/** A measured program while it runs. */
export interface Running {
  /** Puts load on it for about `ms` milliseconds and checks every answer; rejects at the first wrong one. */
  slice(ms: number): Promise<Slice>;
  stop(): Promise<void>;
}

/** One program in one workload. */
export interface Contender {
  readonly name: "plain" | "official" | "tmcp" | "mortise";
  start(): Promise<Running>;
}
