import { MortiseError } from "@mortise/core";

/* What HTTP exchanges need for answers that seldom come; loaded with the first of them. */

export { followRedirect } from "./follow-redirect.js";

/** Throws what an answer that is too large fails with. */
export function refuseSize(limit: number): never {
  throw new MortiseError(
    "response_too_large",
    `Expected a message of at most ${limit} bytes; raise "maxMessageBytes" if this server may send more`,
  );
}
