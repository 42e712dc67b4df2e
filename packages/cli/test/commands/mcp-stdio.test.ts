import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { MCPClient } from "@mortise/client";
import { TOOL_NAMES } from "@mortise/tools";
import { afterEach, describe, expect, test } from "vitest";
import {
  COMMAND,
  type CommandOptions,
  createEnvironment,
  createFolder,
  createRequest,
  runCommand,
  startCommand,
} from "../command-process.js";
import { startModelServer } from "../model-server.js";

const LIST = createRequest(1, "tools/list");
const ASK = createRequest(2, "tools/call", { name: "ask_model", arguments: { prompt: "Who are you?" } });

const open: MCPClient[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

function connect({ env, cwd = createFolder() }: CommandOptions = {}, args: readonly string[] = []): MCPClient {
  const client = new MCPClient({
    command: process.execPath,
    args: [COMMAND, "mcp", ...args],
    env: createEnvironment(env),
    cwd,
  });
  open.push(client);
  return client;
}

function readLines(stdout: string): Record<string, unknown>[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe.each<{ era: string; mode: VersionNegotiationMode }>([
  { era: "legacy", mode: "legacy" },
  { era: "modern", mode: "auto" },
])("the official client, $era", ({ era, mode }) => {
  test("lists and calls the tools over stdio", async () => {
    const model = await startModelServer("I am a test");
    const env = createEnvironment({ OLLAMA_MODEL: "m", OLLAMA_BASE_URL: model.url });
    const client = new Client({ name: "probe", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [COMMAND, "mcp"], env, cwd: createFolder() }),
    );

    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "ask_model", arguments: { prompt: "Who are you?" } });
    const spoken = client.getProtocolEra();
    await client.close();

    expect(spoken).toBe(era);
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
    expect(result.content).toEqual([{ type: "text", text: "I am a test" }]);
  });
});

test("names the variables to set when no provider has a key", async () => {
  const result = await connect().callTool("ask_model", { prompt: "Who are you?" });

  expect(result.isError).toBe(true);
  expect(result.text).toContain("OPENAI_API_KEY");
});

test("takes variables from the file .env in its folder", async () => {
  const model = await startModelServer("I am a test");
  const cwd = createFolder();
  writeFileSync(join(cwd, ".env"), `# models\nOLLAMA_MODEL="of the file" # quoted\nOLLAMA_BASE_URL=${model.url}\n`);

  const { text } = await connect({ cwd }).callTool("ask_model", { prompt: "Who are you?" });

  expect(text).toBe("I am a test");
  expect(model.asked[0]?.body).toMatchObject({ model: "of the file" });
});

test("pages the list of tools as MORTISE_MCP_PAGE_SIZE says", async () => {
  const paged = await runCommand(["mcp"], {
    env: { MORTISE_MCP_PAGE_SIZE: "1" },
    input: `${JSON.stringify(LIST)}\n`,
  });

  const [answer] = readLines(paged.stdout) as { result: { tools: unknown[] } }[];
  expect(answer?.result.tools).toHaveLength(1);
});

test("serves the tools that --tools names, and no others", async () => {
  const client = connect({}, ["--tools", "ask_model"]);
  await client.connect();

  expect(client.getToolNames()).toEqual(["ask_model"]);
});

test("asks the provider that --provider names", async () => {
  const model = await startModelServer("I am a test");
  const env = { OPENAI_API_KEY: "sk-unused", OLLAMA_MODEL: "m", OLLAMA_BASE_URL: model.url };

  const { text } = await connect({ env }, ["--provider", "ollama"]).callTool("ask_model", { prompt: "Who are you?" });

  expect(text).toBe("I am a test");
});

describe("on stdout", () => {
  test("there are messages and nothing else, whatever is logged", async () => {
    const model = await startModelServer("I am a test");
    const { stdout, code } = await runCommand(["mcp", "--log-level", "debug"], {
      env: { DEEPSEEK_API_KEY: "sk-deep-secret", DEEPSEEK_BASE_URL: model.url },
      input: [LIST, ASK].map((message) => `${JSON.stringify(message)}\n`).join(""),
    });

    expect(code).toBe(0);
    expect(readLines(stdout).map(({ jsonrpc, id }) => ({ jsonrpc, id }))).toEqual([
      { jsonrpc: "2.0", id: 1 },
      { jsonrpc: "2.0", id: 2 },
    ]);
  });

  test("a key never shows, nor on stderr", async () => {
    const model = await startModelServer("I am a test");
    const { stdout, stderr } = await runCommand(["mcp", "--log-level", "debug"], {
      env: { DEEPSEEK_API_KEY: "sk-deep-secret", DEEPSEEK_BASE_URL: model.url },
      input: `${JSON.stringify(ASK)}\n`,
    });

    expect(model.asked[0]?.headers.authorization).toBe("Bearer sk-deep-secret");
    expect(stdout + stderr).not.toContain("sk-deep-secret");
  });
});

describe("the process ends", () => {
  test("with the end of its input, once what it owes was answered", async () => {
    const { code, stdout, stderr } = await runCommand(["mcp"], { input: `${JSON.stringify(LIST)}\n` });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(readLines(stdout)).toHaveLength(1);
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("with %s", async (signal) => {
    const { child, send, ended } = startCommand(["mcp"]);
    send(LIST);
    await new Promise((resolve) => child.stdout?.once("data", resolve));

    child.kill(signal);

    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("with a signal although a provider is slow, whose connection is closed", async () => {
    const model = await startModelServer(undefined);
    const { child, send, ended } = startCommand(["mcp"], { env: { OLLAMA_MODEL: "m", OLLAMA_BASE_URL: model.url } });
    const question = model.nextQuestion();
    send(ASK);
    await question;

    child.kill("SIGTERM");

    expect(await ended).toMatchObject({ code: 0 });
    await expect.poll(model.abandoned).toBe(1);
  });

  test("when nobody reads what it answers any more", async () => {
    const { child, send, ended } = startCommand(["mcp"]);
    child.stdout?.destroy();

    send(LIST, createRequest(2, "tools/list"));

    expect((await ended).code).toBe(0);
  });
});
