import { ASSUMED_PROTOCOL_VERSION, MortiseError, REVISIONS, type Revision, revisionOf } from "@mortise/core";

/**
 * The versions spoken at an endpoint: those asked for, in their order, that the server speaks. Throws `invalid_options` for
 * a version that never was, and where none remains.
 */
export function narrowVersions(wanted: readonly string[] | undefined, served: readonly string[]): readonly string[] {
  if (wanted === undefined) return served;
  if (!wanted.every((version) => REVISIONS.has(version)))
    throw new MortiseError(
      "invalid_options",
      `Expected "protocolVersions" to hold some of ${[...REVISIONS.keys()].join(", ")}`,
    );
  const narrowed = [...new Set(wanted)].filter((version) => served.includes(version));
  if (narrowed.length > 0) return narrowed;
  throw new MortiseError(
    "invalid_options",
    `Expected "protocolVersions" to hold a version that the server speaks: ${served.join(", ")}`,
  );
}

/**
 * What a legacy request speaks that names no version: the newest revision spoken whose clients send no version header, else
 * the one that the specification names.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
 */
export function chooseAssumed(versions: readonly string[]): Revision {
  const spoken = [...REVISIONS.values()].filter(({ id }) => versions.includes(id));
  return spoken.find(({ versionHeader }) => !versionHeader) ?? revisionOf(ASSUMED_PROTOCOL_VERSION);
}

/** Whether a version of an era is among those spoken. */
export function speaksEra(versions: readonly string[], era: Revision["era"]): boolean {
  return versions.some((version) => REVISIONS.get(version)?.era === era);
}
