import type { JsonObject } from "@mortise/core";
import type { Call } from "../connection.js";

/** Sends one request, or goes on to whatever sends it. */
export type Send = (call: Call) => Promise<JsonObject>;

/** What is loaded already where requests begin, and is handed to what runs around them. */
export interface AroundTools {
  /** Rejects as soon as the signal aborts; the work itself goes on. */
  untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  /** Reports what fails no request. Never throws. */
  onProblem(problem: Error): void;
}
