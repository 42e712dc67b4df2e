import { ToolFailure } from "../tool-failure.js";
import { type Environment, readVariable } from "./environment.js";
import type { ProviderRow } from "./provider-table.js";

/** What it takes to call a provider. Holds a key: never shown. */
export interface ProviderAccess {
  readonly row: ProviderRow;
  /** Empty for a provider without keys. */
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Whether that is an address of the user's own. */
  readonly ownBaseUrl: boolean;
  readonly env: Environment;
}

/** What headers can hold, and keys are made of. */
const KEY_CHARACTERS = /^[\x21-\x7e]+$/;

/** Reads how a provider is called. Throws `ToolFailure` that names the variable for a key or an address that cannot be used. */
export function readAccess(row: ProviderRow, env: Environment): ProviderAccess {
  const { keyVariable, baseUrlVariable } = row;
  const apiKey = (keyVariable === undefined ? undefined : readVariable(env, keyVariable)) ?? "";
  // Sent on, such a key would come back in the words of whoever refuses the header.
  if (apiKey !== "" && !KEY_CHARACTERS.test(apiKey))
    throw new ToolFailure(`Expected "${keyVariable}" to be a key, received text with spaces or special characters`);
  const given = readVariable(env, baseUrlVariable);
  return {
    row,
    apiKey,
    env,
    ownBaseUrl: given !== undefined,
    baseUrl: given === undefined ? row.baseUrl : readBaseUrl(given, row),
  };
}

/** An address without a path gets the provider's usual one: both spellings are in use. */
function readBaseUrl(given: string, { baseUrl, baseUrlVariable }: ProviderRow): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ToolFailure(`Expected "${baseUrlVariable}" to be an address that begins with http:// or https://`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ToolFailure(`Expected "${baseUrlVariable}" to be an address without a password, a query or a fragment`);
  const path = url.pathname === "/" ? new URL(baseUrl).pathname : url.pathname;
  return `${url.origin}${path}`.replace(/\/+$/, "");
}
