import { checkSchemaBounds, type ErrorCode, MortiseError } from "@mortise/core";

/**
 * Checks a schema's depth, size, references and patterns, as `checkSchemaBounds` does, and names the schema in the error.
 * Codes in `ignored` are let pass.
 */
export function boundSchema(schema: unknown, where: string, ignored: readonly ErrorCode[] = []): void {
  try {
    checkSchemaBounds(schema);
  } catch (error) {
    if (!(error instanceof MortiseError)) throw error;
    if (!ignored.includes(error.code))
      throw new MortiseError(error.code, `${error.message}, in the ${where}`, { cause: error });
  }
}
