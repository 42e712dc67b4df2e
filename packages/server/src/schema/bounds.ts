/** Stands in until the core package has its bounds check. */
export function checkSchemaBounds(_schema: unknown): void {
  // Nothing to bound yet.
}
