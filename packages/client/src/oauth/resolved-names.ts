import { classifyAddress } from "./address-ranges.js";

/** A name, and what its addresses are checked with. */
export interface NamedHost {
  readonly hostname: string;
  resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Rejects with `address_refused` for an address that may not be visited. */
  check(address: string): Promise<unknown>;
  readonly signal: AbortSignal;
}

/** A name may lead anywhere. Only what connects can be sure of it; this finds what does not even hide. */
export async function checkResolved({ hostname, resolve, check, signal }: NamedHost): Promise<void> {
  for (const address of await resolve(hostname, signal)) {
    const literal = address.includes(":") ? `[${address.split("%")[0]}]` : address;
    if (classifyAddress(address) !== "public") await check(`https://${literal}/`);
  }
}
