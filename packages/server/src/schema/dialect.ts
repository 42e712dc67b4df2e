import { MortiseError } from "@mortise/core";

/** A JSON Schema dialect that plain schemas can be written in. */
export interface Dialect {
  readonly name: "2020-12" | "2019-09" | "draft-07";
  /** Whether `items` may be a list of schemas, one for each position. */
  readonly listItems: boolean;
  /** Whether `$ref` stands alone, so that keywords beside it are ignored. */
  readonly loneRef: boolean;
}

/** The dialect of a schema that names none. */
export const DEFAULT_DIALECT: Dialect = { name: "2020-12", listItems: false, loneRef: false };

const DIALECTS: ReadonlyMap<unknown, Dialect> = new Map<unknown, Dialect>([
  ["json-schema.org/draft/2020-12/schema", DEFAULT_DIALECT],
  ["json-schema.org/draft/2019-09/schema", { name: "2019-09", listItems: true, loneRef: false }],
  ["json-schema.org/draft-07/schema", { name: "draft-07", listItems: true, loneRef: true }],
]);

/**
 * Finds the dialect that a `$schema` names; `undefined` means 2020-12, the protocol's default.
 * Throws `schema_dialect` for any other. `where` names the schema.
 */
export function selectDialect(named: unknown, where: string): Dialect {
  if (named === undefined) return DEFAULT_DIALECT;
  const address = typeof named === "string" ? named.replace(/^https?:\/\//, "").replace(/#$/, "") : named;
  const dialect = DIALECTS.get(address);
  if (dialect !== undefined) return dialect;
  const known = "JSON Schema 2020-12, 2019-09 or draft-07";
  throw new MortiseError(
    "schema_dialect",
    `Expected "$schema" of the ${where} to be ${known}, received ${JSON.stringify(named)}`,
  );
}
