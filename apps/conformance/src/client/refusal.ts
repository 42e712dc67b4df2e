import { MortiseError } from "@mortise/client";
import type { Handler } from "./scenarios.js";

/** Turns a use that has to be given up into one that succeeds: it has to reject with a `MortiseError` of this code, and nothing else. */
export function refuses(code: MortiseError["code"], use: Handler["use"]): Handler["use"] {
  return async (client, expected) => {
    try {
      await use(client, expected);
    } catch (error) {
      if (error instanceof MortiseError && error.code === code) return;
      throw error;
    }
    throw new Error(`Expected the client to give up with "${code}"`);
  };
}
