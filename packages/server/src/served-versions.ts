import { MortiseError, REVISIONS, type Revision } from "@mortise/core";

/** The protocol versions to serve, the preferred first: every one, or the given ones. Throws `invalid_options`. */
export function readVersions(versions: readonly string[] | undefined): readonly string[] {
  if (versions === undefined) return [...REVISIONS.keys()];
  if (!Array.isArray(versions) || versions.length === 0 || !versions.every((version) => REVISIONS.has(version))) {
    throw new MortiseError(
      "invalid_options",
      `Expected "protocolVersions" to hold some of ${[...REVISIONS.keys()].join(", ")}`,
    );
  }
  return [...new Set(versions)];
}

/** The first of some versions that is of an era, or `undefined` where none is. */
export function findPreferred(versions: readonly string[], era: Revision["era"]): Revision | undefined {
  return versions.map((version) => REVISIONS.get(version)).find((revision) => revision?.era === era);
}
