import type { Dpop, DpopOptions } from "./dpop.js";

/** Opens the key that tokens are, or are to be, bound to. What deals with keys is loaded with the first. */
export async function openDpop(
  keyPair: CryptoKeyPair | undefined,
  options: Pick<DpopOptions, "stored" | "algorithms">,
): Promise<Dpop> {
  const { createDpop } = await import("./dpop.js");
  return createDpop({ ...options, keyPair });
}
