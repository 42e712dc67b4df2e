import { MortiseError } from "@mortise/core";

/** Says why a server process cannot be had. Loaded where somebody wants one. */
export function refuseProcess(): MortiseError {
  return new MortiseError("needs_node", 'Expected "url": a server given by "command" needs Node to start it');
}
