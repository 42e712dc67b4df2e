import { checkAddress } from "./check-address.js";
import { checkCommand } from "./check-command.js";
import type { ServerCheck, ServerCheckOptions } from "./describe-server.js";
import type { Target } from "./target.js";

/** Connects to a server, asks what it is and what it has, and says what is wrong first. Calls no tool. */
export function checkServer(target: Target, options: ServerCheckOptions): Promise<ServerCheck> {
  return target.kind === "http" ? checkAddress(target, options) : checkCommand(target, options);
}
