import { isObject, MortiseError } from "@mortise/core";
import type { ClientOptions, CommonOptions } from "./options.js";

/** The part of a host's configuration file that lists servers, as Claude Desktop and Cursor write it. */
export interface ServersConfig {
  readonly mcpServers: Readonly<Record<string, unknown>>;
}

/**
 * Reads the servers of a configuration: client options by name. Throws `invalid_options` naming the entry that is wrong.
 * Entries with `"disabled": true` are left out.
 */
export function readServersConfig(config: unknown, common: CommonOptions): Map<string, ClientOptions> {
  if (!isObject(config) || !isObject(config.mcpServers))
    throw new MortiseError("invalid_options", 'Expected "mcpServers" to be an object of servers by name');
  const servers = new Map<string, ClientOptions>();
  for (const [name, entry] of Object.entries(config.mcpServers)) {
    if (!isObject(entry)) throw wrong(name, "an object");
    if (entry.disabled !== true) servers.set(name, { ...common, ...readEntry(name, entry) });
  }
  return servers;
}

function readEntry(name: string, entry: Record<string, unknown>): ClientOptions {
  const { url, headers, command, args, env, cwd } = entry;
  if (typeof url === "string") {
    if (headers !== undefined && !isTextRecord(headers)) throw wrong(name, 'one whose "headers" are strings');
    return { url, headers };
  }
  if (typeof command !== "string") throw wrong(name, 'one with a "url" or a "command"');
  if (args !== undefined && !isTextList(args)) throw wrong(name, 'one whose "args" are strings');
  if (env !== undefined && !isTextRecord(env)) throw wrong(name, 'one whose "env" values are strings');
  if (cwd !== undefined && typeof cwd !== "string") throw wrong(name, 'one whose "cwd" is a string');
  return { command, args, env, cwd };
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((member) => typeof member === "string");
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}

function wrong(name: string, expected: string): MortiseError {
  return new MortiseError(
    "invalid_options",
    `Expected server ${JSON.stringify(name)} in "mcpServers" to be ${expected}`,
  );
}
