import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { MCPClient } from "@mortise/client";
import { TOOL_NAMES } from "@mortise/tools";
import { afterEach, describe, expect, test } from "vitest";
import {
  type CommandOptions,
  type CommandProcess,
  createRequest,
  runCommand,
  startCommand,
} from "../command-process.js";
import { startModelServer } from "../model-server.js";

const HEADERS = {
  Accept: "application/json, text/event-stream",
  "Content-Type": "application/json",
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/list",
};
const TOKEN = "a-token-nobody-guesses";

const open: MCPClient[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Serving extends CommandProcess {
  readonly url: string;
}

async function serve(args: readonly string[] = [], options?: CommandOptions): Promise<Serving> {
  const started = startCommand(["mcp", "--http", "--port", "0", ...args], options);
  const [, url = ""] = await started.findInStderr(/Serving (\S+)\n/);
  return { ...started, url };
}

function post(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const body = JSON.stringify(createRequest(1, "tools/list"));
  return fetch(url, { method: "POST", headers: { ...HEADERS, ...headers }, body });
}

describe.each<{ era: string; mode: VersionNegotiationMode }>([
  { era: "legacy", mode: "legacy" },
  { era: "modern", mode: "auto" },
])("the official client, $era", ({ era, mode }) => {
  test("lists and calls the tools over HTTP", async () => {
    const model = await startModelServer("I am a test");
    const { url } = await serve([], { env: { OLLAMA_MODEL: "m", OLLAMA_BASE_URL: model.url } });
    const client = new Client({ name: "probe", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));

    const { tools } = await client.listTools();
    const result = await client.callTool({ name: "ask_model", arguments: { prompt: "Who are you?" } });
    const spoken = client.getProtocolEra();
    await client.close();

    expect(spoken).toBe(era);
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
    expect(result.content).toEqual([{ type: "text", text: "I am a test" }]);
  });
});

test.each([
  { args: [], env: { OLLAMA_MODEL: "m" }, told: /Ollama, model m/ },
  { args: [], env: {}, told: /No provider is configured/ },
  { args: ["--provider", "groq"], env: { GROQ_API_KEY: "some-key" }, told: /set GROQ_MODEL/ },
])("tells who will answer: $told", async ({ args, env, told }) => {
  const { findInStderr } = await serve(args, { env });

  expect(await findInStderr(told)).toBeTruthy();
});

test("serves where --path says, on this machine's own address", async () => {
  const { url } = await serve(["--path", "tools"]);
  const client = new MCPClient(url);
  open.push(client);
  await client.connect();

  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tools$/);
  expect(client.getToolNames()).toEqual(TOOL_NAMES);
});

test("tells on stderr how it is registered, and nothing on stdout", async () => {
  const { url, child, findInStderr, ended } = await serve();

  await findInStderr(new RegExp(`"type":"http","url":"${url}"`));
  child.kill("SIGTERM");

  expect(await ended).toMatchObject({ code: 0, stdout: "" });
});

test("lets pages of this machine and of --origin call, and no others", async () => {
  const { url } = await serve(["--origin", "https://one.example.com", "--origin", "https://two.example.com"]);
  const origins = [
    "https://one.example.com",
    "https://two.example.com",
    "http://localhost:8080",
    "https://evil.example",
  ];

  const statuses = await Promise.all(origins.map(async (origin) => (await post(url, { Origin: origin })).status));

  expect(statuses).toEqual([200, 200, 200, 403]);
});

describe("with a token", () => {
  test.each([
    { what: "--token", args: ["--token", TOKEN], env: {} },
    { what: "MORTISE_MCP_TOKEN", args: [], env: { MORTISE_MCP_TOKEN: TOKEN } },
  ])("from $what, only those are served who send it", async ({ args, env }) => {
    const { url } = await serve(args, { env });

    const none = await post(url);
    const wrong = await post(url, { Authorization: "Bearer another-token" });
    const right = await post(url, { Authorization: `Bearer ${TOKEN}` });

    expect([none.status, wrong.status, right.status]).toEqual([401, 401, 200]);
    expect(none.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  test("it shows nowhere, and the registration names its variable", async () => {
    const { child, findInStderr, ended } = await serve(["--token", TOKEN, "--log-level", "debug"]);

    await findInStderr(/MORTISE_MCP_TOKEN is set to the token/);
    await findInStderr(/\$\{MORTISE_MCP_TOKEN\}/);
    child.kill("SIGTERM");

    const { stdout, stderr } = await ended;
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  test("it can be reached beyond this machine, by whatever name", async () => {
    const { url } = await serve(["--host", "0.0.0.0", "--token", TOKEN]);
    const local = `http://127.0.0.1:${new URL(url).port}/mcp`;

    const { status } = await post(local, { Authorization: `Bearer ${TOKEN}` });

    expect(status).toBe(200);
  });
});

test("refuses to be reached from other machines by everybody, and says why", async () => {
  const { code, stderr } = await runCommand(["mcp", "--http", "--port", "0", "--host", "0.0.0.0"]);

  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: .*--token.*--allow-unauthenticated.*\n$/);
});

test("says in one line that its port is taken", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo; // a listener on a port has an address of this form

  const { code, stderr } = await runCommand(["mcp", "--http", "--port", String(port)]);
  other.close();

  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^error: .*${port}.*\\n$`));
});

test("ends with the first signal although a provider is slow, whose connection is closed", async () => {
  const model = await startModelServer(undefined);
  const { url, child, ended } = await serve([], { env: { OLLAMA_MODEL: "m", OLLAMA_BASE_URL: model.url } });
  const client = new MCPClient(url);
  open.push(client);
  const question = model.nextQuestion();
  const call = client.callTool("ask_model", { prompt: "Who are you?" }).catch((error: unknown) => error);
  await question;

  child.kill("SIGTERM");

  expect(await ended).toMatchObject({ code: 0 });
  await expect.poll(model.abandoned).toBe(1);
  expect(await call).toBeInstanceOf(Error);
});
