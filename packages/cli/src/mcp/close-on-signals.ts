import type { Log } from "../log.js";
import type { MCPServer } from "../mcp-server.js";

/** What calls under way may still take, in milliseconds: hosts use force after about two seconds. */
const DRAIN = 500;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends server and process with the first signal, which aborts what providers are asked, and at once with the second. */
export function closeOnSignals(server: MCPServer, log: Log): void {
  let asked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked) process.exit();
    asked = true;
    log.debug(`Ending after ${signal}`);
    process.exitCode ??= 0;
    void server.stop({ drain: DRAIN }).finally(() => process.exit());
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}
