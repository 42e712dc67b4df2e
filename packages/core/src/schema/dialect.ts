import { MortiseError } from "@mortise/core";

/** A JSON Schema dialect that schemas can be written in. */
export type Dialect = "2020-12" | "2019-09" | "draft-07";

const ADDRESS = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12|2019-09)|(draft-07))\/schema#?$/;

/**
 * Finds the dialect that a `$schema` names; `undefined` means 2020-12, the protocol's default. Throws `schema_dialect` for any
 * other. `where` names the schema.
 */
export function selectDialect(named: unknown, where: string): Dialect {
  if (named === undefined) return "2020-12";
  const found = typeof named === "string" ? ADDRESS.exec(named) : null;
  if (found !== null) return (found[1] ?? found[2]) as Dialect; // one of the two groups, which list the names
  throw new MortiseError(
    "schema_dialect",
    `Expected "$schema" of the ${where} to be JSON Schema 2020-12, 2019-09 or draft-07, received ${JSON.stringify(named)}`,
  );
}
