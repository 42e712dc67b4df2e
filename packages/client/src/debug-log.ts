import { type JsonObject, JsonRpcError, MortiseError, toError } from "@mortise/core";
import type { Companion } from "./companion.js";

/** Writes what a client does: methods and times, never contents. */
export interface DebugLog extends Companion {
  /** Writes how a request ends, and after what time. */
  follow(method: string, running: Promise<JsonObject>): void;
}

/** Makes the log of a client over what writes a line. Loaded for clients with `debug`. */
export function createDebugLog(writeLine: (line: string) => void): DebugLog {
  const write = (line: string): void => writeLine(`[mortise client] ${line}`);
  return {
    onOpened: ({ server }) => write(`connected: ${server.era} ${server.protocolVersion}`),
    onClosed: () => write("closed"),
    follow(method, running) {
      const startedAt = performance.now();
      const log = (outcome: string): void =>
        write(`${method}: ${outcome} after ${Math.round(performance.now() - startedAt)} ms`);
      running.then(
        () => log("result"),
        (error: unknown) => log(describeFailure(error)),
      );
    },
  };
}

function describeFailure(error: unknown): string {
  if (error instanceof JsonRpcError || error instanceof MortiseError) return `${error.name} ${error.code}`;
  return toError(error).name;
}
