import type { ServerMetadata } from "./server-metadata.js";
import type { ClientIdentity } from "./token-set.js";

/** A form that is about to be sent to an authorization server. */
export interface ClientForm {
  readonly headers: Record<string, string>;
  readonly body: URLSearchParams;
}

/** The part of a server's metadata that says how clients prove who they are. */
export type AuthenticatingServer = Pick<ServerMetadata, "issuer" | "tokenAuthAlgorithmsSupported">;

/** Adds who asks to a form, and what proves it: for each form afresh, since an assertion is good for one. */
export async function authenticate(
  client: ClientIdentity,
  server: AuthenticatingServer,
  form: ClientForm,
): Promise<void> {
  const { clientId, authentication } = client;
  if (authentication.method !== "none") {
    const { proveClient } = await import("./client-proof.js");
    await proveClient(clientId, authentication, server, form);
  } else if (clientId !== "") form.body.set("client_id", clientId);
}
