import { addProviderTools, describeProviders, PROVIDER_IDS, TOOL_NAMES } from "@mortise/tools";
import { CommandFailure, EXIT } from "../command-failure.js";
import { type Environment, readEnvironment } from "../environment.js";
import { createLog, type Log } from "../log.js";
import { MCPServer } from "../mcp-server.js";
import { readVersion } from "../version.js";
import { closeOnSignals } from "./close-on-signals.js";
import { MCP_DEFAULTS, type McpOptions } from "./mcp-options.js";

const INSTRUCTIONS = `Tools that ask other language models. They see only what is passed to them, no files and no conversation: pass the code, the schema or the data itself. Use list_providers to learn which providers there are.`;

/** What is known once the command line and the environment are read. */
export interface Setting {
  readonly env: Environment;
  readonly log: Log;
}

/** Serves the provider tools, on standard input and output by default. Resolves once it does. Rejects with `CommandFailure`. */
export async function runMcp(options: McpOptions = MCP_DEFAULTS): Promise<void> {
  expectKnown("--tools", options.tools ?? [], TOOL_NAMES);
  if (options.provider !== undefined) expectKnown("--provider", [options.provider], PROVIDER_IDS);
  const log = createLog(options.logLevel);
  const env = await readEnvironment({ folder: process.cwd(), env: process.env, log });
  const server = createServer(options, { env, log });
  closeOnSignals(server, log);
  if (options.http === true) {
    const { serveHttp } = await import("./serve-http.js");
    await serveHttp(server, options, { env, log });
    log.info(describeDefault(options, env));
  } else {
    await serveStdio(server, log);
    // Assistants show what they read on stderr, and some as an error.
    if (options.logLevel === "debug") log.debug(describeDefault(options, env));
  }
}

function createServer({ tools, provider, hostModel }: McpOptions, { env, log }: Setting): MCPServer {
  const server = new MCPServer({
    name: "mortise",
    title: "Mortise",
    version: readVersion(),
    instructions: INSTRUCTIONS,
    pageSize: readPageSize(env),
    onError: (error, { method }) => log.error(`${method ?? "A request"} failed: ${toMessage(error)}`),
    onWarning: (message) => log.warn(message),
  });
  addProviderTools(server, { env, only: tools, provider, hostModel, log: log.info });
  return server;
}

async function serveStdio(server: MCPServer, log: Log): Promise<void> {
  if (process.stdin.isTTY)
    log.info(`Reading messages from this terminal. An assistant is to start this command: see "mortise add --help"`);
  await server.startStdio({ onError: ({ message }) => log.error(message) });
}

function readPageSize(env: Environment): number | undefined {
  const text = env["MORTISE_MCP_PAGE_SIZE"]?.trim() ?? "";
  if (text === "") return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CommandFailure(
    `Expected MORTISE_MCP_PAGE_SIZE to be a whole number from 1, received "${text}"`,
    EXIT.usage,
  );
}

function expectKnown(option: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CommandFailure(`Expected ${option} to name some of ${known.join(", ")}, received "${unknown}"`, EXIT.usage);
}

function describeDefault({ provider }: McpOptions, env: Environment): string {
  const all = describeProviders(env);
  const chosen = all.find(({ id, configured, model }) =>
    provider === undefined ? configured && model !== undefined : id === provider,
  );
  if (chosen === undefined) return `No provider is configured: "mortise doctor" says what to set`;
  if (!chosen.configured) return `${chosen.label} is not configured: set ${chosen.missing.join(" and ")}`;
  return `Calls that name no provider go to ${chosen.label}, model ${chosen.model ?? "unset"}`;
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
