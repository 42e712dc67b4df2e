import { type Ask, MODERN_PROTOCOL_VERSION, revisionOf } from "@mortise/core";
import { expectOption } from "./check-options.js";

/** Reads the option `asks` of a definition. Throws `invalid_options`. */
export function readRequiredAsks(asks: unknown = [], where: string): readonly Ask[] {
  const known: ReadonlySet<unknown> = revisionOf(MODERN_PROTOCOL_VERSION).asks;
  const holds = Array.isArray(asks) && asks.every((ask) => known.has(ask));
  expectOption(holds, `"asks" of ${where}`, `some of ${[...known].join(", ")}`, asks);
  return [...(asks as readonly Ask[])]; // checked just now
}
