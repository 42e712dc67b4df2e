import { type Command, InvalidArgumentError, Option } from "commander";
import { LEVELS } from "../log.js";
import { MCP_DEFAULTS, type McpOptions } from "../mcp/mcp-options.js";

/** These mean nothing to a server on standard streams, where whoever gives one believes to have something else. */
const HTTP_ONLY = ["port", "host", "path", "origin", "token", "allowHost", "allowUnauthenticated"];

const EPILOGUE = `
Variables, also from the file .env in the current directory (the real environment wins):
  OPENAI_API_KEY, ANTHROPIC_API_KEY, …  the key of a provider; "mortise doctor" lists them all
  MORTISE_MCP_PAGE_SIZE                 tools to a page of tools/list
  MORTISE_MCP_TOKEN                     the same as --token, and out of sight of other users

Exit codes: 0 the client left or a signal came, 1 it could not serve, 2 the command line is wrong`;

/** Adds `mortise mcp`. What serves is loaded when the command runs. */
export function addMcpCommand(program: Command): void {
  const command = program
    .command("mcp")
    .description("serve the tools to an assistant, on standard input and output or over HTTP")
    .option("--http", "serve Streamable HTTP instead of standard input and output")
    .option("--port <number>", "the port to listen on; 0 takes a free one", readPort, MCP_DEFAULTS.port)
    .option("--host <address>", "the address to listen on", MCP_DEFAULTS.host)
    .option("--path <path>", "the path of the endpoint", MCP_DEFAULTS.path)
    .option("--origin <origin>", "pages that may call, besides those of this machine; repeatable", collectOrigins)
    .option("--allow-host <name>", "a name this server is reached by, besides its address; repeatable", collect)
    .option("--token <token>", "what clients have to send as a bearer token")
    .option("--allow-unauthenticated", "listen beyond this machine without a token")
    .option("--tools <names>", "the tools to serve, separated by commas; all by default", collectNames)
    .option("--provider <id>", "the provider for calls that name none; the first one with a key by default")
    .option("--host-model", "let the assistant's own model answer where no provider has a key")
    .addOption(
      new Option("--log-level <level>", "how much to tell on stderr").choices(LEVELS).default(MCP_DEFAULTS.logLevel),
    )
    .addHelpText("after", EPILOGUE);
  command.action(async (options: McpOptions) => {
    refuseStrayOptions(command, options);
    const { runMcp } = await import("../mcp/run-mcp.js");
    await runMcp(options);
  });
}

function refuseStrayOptions(command: Command, { http }: McpOptions): void {
  if (http === true) return;
  const stray = command.options.find(
    (option) =>
      HTTP_ONLY.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (stray !== undefined) command.error(`error: option '${stray.long}' is for '--http', which is not given`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("Expected a whole number from 0 to 65535.");
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function collectOrigins(value: string, before: readonly string[] = []): readonly string[] {
  if (value === "null" || (URL.canParse(value) && new URL(value).host !== "")) return [...before, value];
  throw new InvalidArgumentError("Expected an origin such as https://app.example.com.");
}

function collectNames(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
  if (names.length > 0) return [...before, ...names];
  throw new InvalidArgumentError("Expected names separated by commas.");
}
