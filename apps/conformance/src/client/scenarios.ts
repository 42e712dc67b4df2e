import type { ElicitAnswer, HttpOptions, MCPClient } from "@mortise/client";
import type { Expectation } from "./expectation.js";

/** How one scenario is passed: a client with these options, used like this. */
export interface Handler {
  readonly options?: Partial<HttpOptions> | undefined;
  use(client: MCPClient, expected: Expectation): Promise<void>;
}

/** What a scenario without a line of its own gets: a client that looks what tools there are. */
const LIST_TOOLS: Handler = { use: listTools };

const NO_ANSWERS: Partial<HttpOptions> = {
  onElicit: (): ElicitAnswer => ({ action: "decline" }),
  onSample: () => ({ model: "none", content: { type: "text", text: "" } }),
  onRoots: () => [],
};

/** What each scenario without a login needs. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["tools_call", { use: (client) => call(client, "add_numbers", { a: 5, b: 3 }) }],
  [
    "elicitation-sep1034-client-defaults",
    // The client fills in the defaults.
    { options: accept({}), use: (client) => call(client, "test_client_elicitation_defaults") },
  ],
  ["sse-retry", { use: (client) => call(client, "test_reconnection") }],
  ["request-metadata", { options: NO_ANSWERS, use: listTools }],
  ["http-standard-headers", { use: useEverything }],
  ["http-custom-headers", { use: callAsTold }],
  ["http-invalid-tool-headers", { use: (client) => call(client, "valid_tool", { region: "us-west1" }) }],
  ["sep-2322-client-request-state", { options: accept({ confirmed: true }), use: answerRounds }],
  ["json-schema-2020-12-preservation", { use: echoSchema }],
]);

/** The way to pass a scenario. Logins and skills are loaded for the scenarios that are about them. */
export async function selectHandler(expected: Expectation): Promise<Handler> {
  const { scenario } = expected;
  if (scenario.startsWith("auth/")) return (await import("./logins.js")).selectLoginHandler(expected);
  if (scenario.startsWith("sep-2640-client-")) return (await import("./skills.js")).selectSkillsHandler(scenario);
  return HANDLERS.get(scenario) ?? LIST_TOOLS;
}

async function listTools(client: MCPClient): Promise<void> {
  await client.connect();
}

/** Calls a tool of the list, and nothing that is not in it. */
async function call(client: MCPClient, name: string, args: Record<string, unknown> = {}): Promise<void> {
  await client.connect();
  if (!client.hasTool(name)) throw new Error(`Expected a tool "${name}"`);
  await client.callTool(name, args);
}

async function callAsTold(client: MCPClient, { context }: Expectation): Promise<void> {
  for (const { name, arguments: args } of context.toolCalls) await call(client, name, args);
}

/** Lists and uses everything a server can have, each thing once. */
async function useEverything(client: MCPClient): Promise<void> {
  await client.connect();
  for (const { name } of client.tools) await client.callTool(name);
  for (const { uri } of await client.listResources()) await client.readResource(uri);
  for (const { name } of await client.listPrompts()) await client.getPrompt(name);
}

async function answerRounds(client: MCPClient): Promise<void> {
  for (const name of ["echo_state", "no_state", "unrelated", "no_result_type"]) await call(client, `test_mrtr_${name}`);
}

/** Gives a schema back as it was listed. */
async function echoSchema(client: MCPClient): Promise<void> {
  await client.connect();
  const schema = client.getTool("json_schema_2020_12_tool")?.inputSchema;
  await call(client, "json_schema_echo", { schema });
}

function accept(content: Record<string, boolean>): Partial<HttpOptions> {
  return { onElicit: () => ({ action: "accept", content }) };
}
