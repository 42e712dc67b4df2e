import { readHeaders } from "../header-list.js";
import type { ClientOptions } from "../options.js";
import { parseJsonWithComments } from "./json-with-comments.js";
import type { ConfigVariables } from "./placeholders.js";
import { readServers } from "./read-servers.js";

export type { ClientOptions } from "../options.js";

/** How a configuration is read, besides its environment. */
export type ParseConfigOptions = Omit<ConfigVariables, "env">;

/**
 * Reads the text of a host's configuration file: the options of every server that is switched on, by name. Pass the result
 * to `MCPClient.fromConfig()`. Nothing is started.
 *
 * Takes JSON with comments, trailing commas and a byte-order mark, in the shapes of Claude Desktop, Claude Code, Cursor,
 * VS Code and Windsurf, and fills in `${NAME}`, `${env:NAME}`, `${NAME:-default}` and `${input:id}`.
 *
 * Throws `parse_error` with line and column, and `invalid_options` naming server, member and, where a value is missing,
 * the variable. No message holds a value.
 *
 * @example
 * const clients = await MCPClient.fromConfig(parseConfig(text, process.env));
 */
export function parseConfig(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  options: ParseConfigOptions = {},
): Map<string, ClientOptions> {
  return readServers(parseJsonWithComments(text), { ...options, env }, readHeaders);
}
