import { type EraName, JsonRpcError, MortiseError, REVISIONS, RPC } from "@mortise/core";
import type { AllowedEras } from "./era-choice.js";

/**
 * Chooses among the versions that a server lists in place of the one it was asked for: gives the newest modern one, or
 * `undefined` where only a legacy one is possible. Throws `unsupported_version` when there is none in common.
 */
export function chooseListed(supported: readonly string[], choice: AllowedEras, offered: string): string | undefined {
  const version = findListed(supported, "modern", choice);
  if (version !== undefined) return version;
  if (choice.legacy && findListed(supported, "legacy", choice) !== undefined) return undefined;
  throw noCommonVersion(offered, supported);
}

/** The newest revision of an era that a server lists and this client may speak. */
function findListed(supported: readonly string[], era: EraName, { pin }: AllowedEras): string | undefined {
  const rows = [...REVISIONS.values()];
  return rows.find((row) => row.era === era && supported.includes(row.id) && (pin === undefined || pin === row.id))?.id;
}

/** The failure of having no revision in common. */
function noCommonVersion(offered: string, supported: readonly string[]): MortiseError {
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
