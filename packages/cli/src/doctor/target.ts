import type { HttpOptions } from "@mortise/client";
import { parseConfig } from "@mortise/client/config";
import { CommandFailure, EXIT } from "../command-failure.js";
import type { Environment } from "../environment.js";

/** A server to check. */
export type Target =
  | { readonly kind: "http"; readonly url: URL; readonly headers: HttpOptions["headers"] }
  | { readonly kind: "process"; readonly command: TargetCommand };

/** A command that starts a server. */
export interface TargetCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
}

/** How a server is named on the command line. */
export interface TargetRequest {
  /** An address, or a command and its arguments. */
  readonly words: readonly string[];
  /** Headers for an address, as `Name: value`. */
  readonly header: readonly string[];
  /** Variables for a command: `NAME`, or `NAME=value`. */
  readonly env: readonly string[];
}

/**
 * Reads which server is meant. Placeholders in headers are filled in, once. Throws `CommandFailure` before anything is
 * started or sent, and never with a value.
 */
export function readTarget({ words, header, env }: TargetRequest, environment: Environment): Target | undefined {
  const [first, ...rest] = words;
  if (first === undefined) {
    if (header.length + env.length > 0) throw wrong('a server to check with "--header" or "--env"');
    return undefined;
  }
  if (first.trim() === "") throw wrong("an address or a command, received nothing");
  if (/^https?:/i.test(first)) {
    if (rest.length > 0) throw wrong("nothing behind the address");
    if (env.length > 0) throw wrong('"--env" only for a command: a running server has its own');
    return readAddress(first, header, environment);
  }
  if (rest.length === 0 && /^[\w.-]+:\d+(?:\/|$)/.test(first))
    throw wrong("the address to begin with http:// or https://");
  if (header.length > 0) throw wrong('"--header" only for an address');
  return { kind: "process", command: { command: first, args: rest, env: readVariables(env, environment) } };
}

function readAddress(address: string, header: readonly string[], environment: Environment): Target {
  if (!URL.canParse(address)) throw wrong("a valid address");
  const headers = Object.fromEntries(header.map(readHeader));
  const config = JSON.stringify({ mcpServers: { server: { url: "http://localhost", headers } } });
  try {
    const options = parseConfig(config, environment).get("server");
    const filled = options !== undefined && "url" in options ? options.headers : undefined;
    return { kind: "http", url: new URL(address), headers: filled };
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error), EXIT.usage);
  }
}

function readHeader(text: string): readonly [string, string] {
  const at = text.indexOf(":");
  // The text is not repeated: it may be a token that was pasted without its name.
  if (at < 1) throw wrong('"--header" to be "Name: value"');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function readVariables(env: readonly string[], environment: Environment): Record<string, string | undefined> {
  const pairs = env.map((text): readonly [string, string] => {
    const at = text.indexOf("=");
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    if (!/^[A-Za-z_]\w*$/.test(text)) throw wrong('"--env" to be NAME or NAME=value');
    const value = environment[text];
    if (value === undefined) throw wrong(`${text} to be set here, for "--env ${text}"`);
    return [text, value];
  });
  return Object.fromEntries(pairs);
}

function wrong(expected: string): CommandFailure {
  return new CommandFailure(`Expected ${expected}`, EXIT.usage);
}
