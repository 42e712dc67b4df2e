/** What a bar compares: a ratio of server or client CPU or of time, or a difference of times. */
export interface Bar {
  /** `gain`: plain divided by ours, at least `limit`. `cost`: ours divided by plain, at most `limit`. `extra`: milliseconds beyond plain, at most `limit`. */
  readonly kind: "gain" | "cost" | "extra";
  readonly limit: number;
}

/**
 * What Mortise must reach beside plain code in each workload. CPU decides, since throughput on a shared machine also measures
 * the load generator. Zod's own import would hide any ratio of starts, so that there the difference counts.
 */
export const BARS: Readonly<Record<string, Bar>> = {
  "http-modern": { kind: "gain", limit: 0.9 },
  "http-legacy": { kind: "gain", limit: 0.9 },
  "http-list": { kind: "gain", limit: 3 },
  fetch: { kind: "gain", limit: 0.93 },
  stdio: { kind: "gain", limit: 0.95 },
  result: { kind: "gain", limit: 1.1 },
  argument: { kind: "gain", limit: 0.9 },
  burst: { kind: "gain", limit: 2 },
  ticks: { kind: "gain", limit: 1 },
  "start-json": { kind: "cost", limit: 1.15 },
  "start-zod": { kind: "extra", limit: 8 },
  "start-command": { kind: "cost", limit: 2.5 },
  "client-one": { kind: "cost", limit: 1.25 },
  "client-many": { kind: "cost", limit: 1.25 },
  "client-fetch": { kind: "cost", limit: 1.2 },
};

/** What one open stream of `subscriptions/listen` may take on Node, of the whole process, in KiB. */
export const STREAM_KIB = 20;

/** Largest size of a bundled fetch-handler server without a schema library, minified and compressed, in bytes. */
export const BUNDLE_BYTES = 24_000;
