import type { LoginRecord } from "./login-record.js";
import type { LoginHost } from "./login-work.js";
import { revokeTokens } from "./revocation.js";

/** Tells the authorization server that the tokens of a login are not needed any more. Rejects as `revokeTokens` does. */
export async function revokeLogin({ send, method }: LoginHost, record: LoginRecord): Promise<void> {
  const { discoverServer } = await import("./logins.js");
  const { issuer, resource, tokens } = record;
  const { signal } = new AbortController();
  const metadata = await discoverServer({ issuer, resource, send, signal, trusted: true });
  const client = record.client ?? (await method.findClient({ metadata, send, signal }));
  if (client?.clientId === record.clientId) await revokeTokens({ metadata, client, tokens, send, signal });
}
