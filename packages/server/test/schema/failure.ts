import { MortiseError } from "@mortise/core";

/** The code of the `MortiseError` that a call throws, and its message; fails when it throws anything else, or nothing. */
export function failure(run: () => unknown): { code: string; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof MortiseError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("Expected the call to throw");
}
