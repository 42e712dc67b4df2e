import { LONGEST_DELAY } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import { defineTool } from "./define-tool.js";
import type { Environment } from "./providers/environment.js";
import type { ProviderStatus } from "./providers/provider.js";
import { readStatuses } from "./providers/provider-status.js";
import { PROVIDERS } from "./providers/provider-table.js";
import { ALL_TOOLS } from "./tools/all-tools.js";

export type { ProviderStatus } from "./providers/provider.js";

const DEFAULT_TIMEOUT_MS = 120_000;

/** How provider tools are added to a server. */
export interface ProviderToolOptions {
  /** Variables with keys and models, such as `process.env`. */
  readonly env: Environment;
  /** The tools to add, by name. @default all */
  readonly only?: readonly string[] | undefined;
  /** The provider for calls that name none. @default the first one that is configured */
  readonly provider?: string | undefined;
  /** Lets the client's own model answer where no provider is configured and the client allows it. @default false */
  readonly hostModel?: boolean | undefined;
  /** Takes lines for the log, which hold no keys. @default nothing is logged */
  readonly log?: ((line: string) => void) | undefined;
  /** The longest time one call may take, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number | undefined;
}

/** The names of all tools. */
export const TOOL_NAMES: readonly string[] = ALL_TOOLS.map(({ name }) => name);

/** The ids of all providers, in the order in which the first configured one becomes the default. */
export const PROVIDER_IDS: readonly string[] = PROVIDERS.map(({ id }) => id);

/** Adds the provider tools to a server. Throws `RangeError` for a tool or a provider that does not exist, or an impossible time. */
export function addProviderTools(server: MCPServer, options: ProviderToolOptions): void {
  const { env, only = TOOL_NAMES, provider, hostModel = false, log = ignore, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  expectKnown("only", only, TOOL_NAMES);
  if (provider !== undefined) expectKnown("provider", [provider], PROVIDER_IDS);
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_DELAY)
    throw new RangeError(`Expected "timeoutMs" to be from 1 to ${LONGEST_DELAY}, received ${timeoutMs}`);
  const settings = { env, provider, hostModel, log, timeoutMs };
  for (const spec of ALL_TOOLS) if (only.includes(spec.name)) defineTool(server, spec, settings);
}

/** What is known of every provider in an environment, without calling any. Never holds a key. */
export function describeProviders(env: Environment): readonly ProviderStatus[] {
  return readStatuses(env);
}

function expectKnown(option: string, names: readonly string[], known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name))
      throw new RangeError(`Expected "${option}" to name some of ${known.join(", ")}, received "${name}"`);
  }
}

function ignore(): void {
  // Nobody asked for a log.
}
