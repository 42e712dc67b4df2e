import { describeType, MortiseError } from "@mortise/core";
import type { ClientOptions, RegisteredClient } from "./client-options.js";

/** Checks which clients are configured. Throws `invalid_options`, never with a secret in it. */
export function checkClientOptions({ client, clientMetadataUrl }: ClientOptions): void {
  for (const one of [client ?? []].flat()) checkClient(one);
  if (clientMetadataUrl !== undefined) checkMetadataUrl(clientMetadataUrl);
}

function checkClient({ clientId, method, secret, key }: RegisteredClient): void {
  if (typeof clientId !== "string" || clientId === "")
    throw invalid(`Expected "client.clientId" to be a string that is not empty, received ${describeType(clientId)}`);
  const needed = method === "private_key_jwt" ? key : secret;
  if (method === undefined || method === "none" || needed !== undefined) return;
  throw invalid(`Expected "client" to have a ${method === "private_key_jwt" ? "key" : "secret"} for "${method}"`);
}

/** See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#implementation-requirements */
function checkMetadataUrl(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isFit = url?.protocol === "https:" && url.pathname !== "/" && url.username === "" && !address.includes("#");
  if (!isFit) throw invalid('Expected "clientMetadataUrl" to be an https address with a path');
}

function invalid(message: string): MortiseError {
  return new MortiseError("invalid_options", message);
}
