import { describeType, invalidOptions } from "@mortise/core";
import type { ClientOptions, RegisteredClient } from "./client-options.js";

/** Checks which clients are configured. Throws `invalid_options`, never with a secret in it. */
export function checkClientOptions({ client, clientMetadataUrl }: ClientOptions): void {
  for (const one of [client ?? []].flat()) checkClient(one, "client.");
  if (clientMetadataUrl !== undefined) checkMetadataUrl(clientMetadataUrl);
}

/** Checks the client of a program that acts for itself, which has to prove who it is. Throws `invalid_options`. */
export function checkOwnClient(client: RegisteredClient): void {
  checkClient(client, "");
  if (client.secret !== undefined || client.key !== undefined || client.method === "none") return;
  throw invalidOptions('a "secret" or a "key", with which the program proves who it is');
}

/** Checks one client, whose options are found `under` a name. Throws `invalid_options`, never with a secret in it. */
export function checkClient({ clientId, method, secret, key }: RegisteredClient, under: string): void {
  if (typeof clientId !== "string" || clientId === "")
    throw invalidOptions(`"${under}clientId" to be a string that is not empty, received ${describeType(clientId)}`);
  // What is missing in the environment often arrives like this.
  if (secret === "") throw invalidOptions(`"${under}secret" to be a string that is not empty`);
  const needed = method === "private_key_jwt" ? key : secret;
  if (method === undefined || method === "none" || needed !== undefined) return;
  throw invalidOptions(`"${under}${method === "private_key_jwt" ? "key" : "secret"}" for "${method}"`);
}

/** See https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#implementation-requirements */
function checkMetadataUrl(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isFit = url?.protocol === "https:" && url.pathname !== "/" && url.username === "" && !address.includes("#");
  if (!isFit) throw invalidOptions('"clientMetadataUrl" to be an https address with a path');
}
