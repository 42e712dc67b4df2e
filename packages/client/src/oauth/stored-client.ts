import type { CredentialStore } from "./credential-store.js";
import { readRefusal } from "./token-refusal.js";
import type { ClientIdentity } from "./token-set.js";

/** The key that clients of an issuer are kept under; those with unusual grants apart. */
export function nameClientKey(issuer: string, grantTypes?: readonly string[]): string {
  return grantTypes === undefined ? `client ${issuer}` : `client ${issuer} ${grantTypes.join(" ")}`;
}

/** Where a client is kept. */
export interface ClientPlace {
  readonly store: CredentialStore;
  readonly issuer: string;
  readonly grantTypes?: readonly string[] | undefined;
}

/** Forgets a client that the server says it does not know, if another can be had: the next login gets that. */
export async function forgetUnknown(
  { store, issuer, grantTypes }: ClientPlace,
  client: ClientIdentity,
  error: unknown,
): Promise<void> {
  const canHaveAnother = client.source === "registered" || client.source === "asked";
  if (!canHaveAnother || readRefusal(error)?.error !== "invalid_client") return;
  const key = nameClientKey(issuer, grantTypes);
  // Somebody else may have got another one meanwhile.
  if ((await store.get(key))?.clientId === client.clientId) await store.delete(key);
}
