import { type Ask, describeType, MODERN_PROTOCOL_VERSION, MortiseError, revisionOf } from "@mortise/core";

/** Reads the option `asks` of a definition. Throws `invalid_options`. */
export function readRequiredAsks(asks: unknown = [], where: string): readonly Ask[] {
  const known: ReadonlySet<unknown> = revisionOf(MODERN_PROTOCOL_VERSION).asks;
  const [wrong] = Array.isArray(asks) ? asks.filter((ask) => !known.has(ask)).map(describe) : [describeType(asks)];
  if (wrong !== undefined)
    throw new MortiseError(
      "invalid_options",
      `Expected "asks" of ${where} to be a list of ${[...known].join(", ")}, received ${wrong}`,
    );
  return [...(asks as readonly Ask[])]; // checked just now
}

function describe(ask: unknown): string {
  return typeof ask === "string" ? JSON.stringify(ask) : describeType(ask);
}
