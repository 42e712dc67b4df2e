import { invalidOptions, REVISIONS } from "@mortise/core";
import type { EraChoice } from "./options.js";

/** Which eras a client may speak, and the exact revision where one is pinned. */
export interface AllowedEras {
  readonly modern: boolean;
  readonly legacy: boolean;
  readonly pin: string | undefined;
}

/** Reads the choice of a client. Throws `invalid_options` for a pinned revision that this client does not know. */
export function readAllowedEras(era: EraChoice, minimalHeaders: boolean): AllowedEras {
  if (typeof era === "object") {
    const row = REVISIONS.get(era.pin);
    if (row === undefined) {
      throw invalidOptions(`"era.pin" to be one of ${[...REVISIONS.keys()].join(", ")}`);
    }
    return { modern: row.era === "modern", legacy: row.era === "legacy", pin: row.id };
  }
  return { modern: era !== "legacy" && !minimalHeaders, legacy: era !== "modern", pin: undefined };
}
