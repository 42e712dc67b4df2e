import { type EraName, JsonRpcError, MortiseError, REVISIONS, RPC } from "@mortise/core";
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
      throw new MortiseError("invalid_options", `Expected "era.pin" to be one of ${[...REVISIONS.keys()].join(", ")}`);
    }
    return { modern: row.era === "modern", legacy: row.era === "legacy", pin: row.id };
  }
  return { modern: era !== "legacy" && !minimalHeaders, legacy: era !== "modern", pin: undefined };
}

/** The newest revision of an era that a server lists and this client may speak. */
export function findListed(supported: readonly string[], era: EraName, { pin }: AllowedEras): string | undefined {
  const rows = [...REVISIONS.values()];
  return rows.find((row) => row.era === era && supported.includes(row.id) && (pin === undefined || pin === row.id))?.id;
}

/** The failure of having no revision in common. */
export function noCommonVersion(offered: string, supported: readonly string[]): MortiseError {
  const cause = new JsonRpcError(RPC.unsupportedVersion, "Unsupported protocol version", {
    supported,
    requested: offered,
  });
  const listed = supported.length === 0 ? "none that it names" : supported.join(", ");
  return new MortiseError(
    "unsupported_version",
    `Offered protocol version "${offered}", and the server supports ${listed}`,
    { cause },
  );
}
