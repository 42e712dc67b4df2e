import { checkAddress } from "./check-address.js";
import { checkCommand } from "./check-command.js";
import type { ServerCheck, ServerCheckOptions } from "./describe-server.js";
import { hideSecrets } from "./hide-secrets.js";
import type { Target } from "./target.js";

/** Connects to a server, asks what it is and what it has, and says what is wrong first. Calls no tool, and shows no secret. */
export async function checkServer(target: Target, options: ServerCheckOptions): Promise<ServerCheck> {
  const check = await (target.kind === "http" ? checkAddress(target, options) : checkCommand(target, options));
  return hideSecrets(check, target);
}
