import { createHash } from "node:crypto";
import { connectInMemory, MCPClient, MortiseError } from "@mortise/client";
import { MCPServer } from "@mortise/server";
import { expect, test } from "vitest";
import { readExpectation } from "../src/client/expectation.js";
import { refuses } from "../src/client/refusal.js";
import { selectHandler } from "../src/client/scenarios.js";

const REVISION = "2026-07-28";

function expectation(scenario: string, context: object = {}) {
  return readExpectation({
    MCP_CONFORMANCE_SCENARIO: scenario,
    MCP_CONFORMANCE_PROTOCOL_VERSION: REVISION,
    MCP_CONFORMANCE_CONTEXT: JSON.stringify(context),
  });
}

/** Plays a scenario against a server. */
async function play(server: MCPServer, scenario: string, context: object = {}): Promise<void> {
  const expected = expectation(scenario, context);
  const { use } = await selectHandler(expected);
  const client = new MCPClient({ transport: connectInMemory(server), era: { pin: REVISION } });
  try {
    await use(client, expected);
  } finally {
    await client.close();
  }
}

/** A server that remembers the arguments of each call of its one tool. */
function createServer(tool: string) {
  const calls: unknown[] = [];
  const server = new MCPServer({ name: "scenario", version: "1.0.0" });
  server.tool(tool, { input: { type: "object" } }, (args) => {
    calls.push(args);
    return "done";
  });
  return { server, calls };
}

test("a scenario without a line of its own lists tools and calls none", async () => {
  const { server, calls } = createServer("anything");

  await play(server, "a-scenario-that-is-new");

  expect(calls).toEqual([]);
});

test.each([
  ["tools_call", "add_numbers", { a: 5, b: 3 }],
  ["sse-retry", "test_reconnection", {}],
  ["elicitation-sep1034-client-defaults", "test_client_elicitation_defaults", {}],
  ["http-invalid-tool-headers", "valid_tool", { region: "us-west1" }],
])("%s calls %s", async (scenario, tool, args) => {
  const { server, calls } = createServer(tool);

  await play(server, scenario);

  expect(calls).toEqual([args]);
});

test("a scenario whose tool is not there fails", async () => {
  await expect(play(createServer("another").server, "tools_call")).rejects.toThrow("add_numbers");
});

test("the calls that a scenario names are made in its order", async () => {
  const { server, calls } = createServer("told");
  const toolCalls = [1, 2].map((number) => ({ name: "told", arguments: { number } }));

  await play(server, "http-custom-headers", { toolCalls });

  expect(calls).toEqual([{ number: 1 }, { number: 2 }]);
});

test("a client that has to give up and does not, or for another reason, has failed", async () => {
  const expected = expectation("any");
  const client = new MCPClient("http://127.0.0.1:9/");
  const failWith = (code: MortiseError["code"]) => () => Promise.reject(new MortiseError(code, "no"));

  await expect(refuses("login_failed", failWith("login_failed"))(client, expected)).resolves.toBeUndefined();
  await expect(refuses("login_failed", failWith("login_denied"))(client, expected)).rejects.toThrow("no");
  await expect(refuses("login_failed", async () => undefined)(client, expected)).rejects.toThrow("login_failed");
});

test("a context without a member that is needed is told of", () => {
  const { context } = expectation("any", { client_id: "id" });

  expect(context.text("client_id")).toBe("id");
  expect(() => context.text("client_secret")).toThrow("client_secret");
  expect(() => context.toolCalls).toThrow("toolCalls");
});

test("an environment that is not the referee's is told of", () => {
  expect(() => readExpectation({})).toThrow("MCP_CONFORMANCE_SCENARIO");
});

const SKILL = "---\nname: pdf\ndescription: Fills in forms\n---\n\nBody.\n";

/** A server with one skill of two files, which is listed as it is but for what is given. */
function createSkillServer(listed: { frontmatter?: object; digest?: string; size?: number }) {
  const reads: string[] = [];
  const server = new MCPServer({ name: "skills", version: "1.0.0" });
  const files: [string, string][] = [
    ["skill://pdf/FORMS.md", "Forms.\n"],
    ["skill://pdf/SKILL.md", SKILL],
  ];
  for (const [uri, text] of files) {
    server.resource(uri, { name: uri }, () => {
      reads.push(uri);
      return text;
    });
  }
  const resources = files.map(([uri, text]) => ({ uri, digest: digest(text), size: text.length }));
  const [forms, main] = resources;
  const { frontmatter = { name: "pdf", description: "Fills in forms" }, ...changed } = listed;
  const entry = { uri: main?.uri, frontmatter, resources: [forms, { ...main, ...changed }] };
  server.extend({
    id: "io.modelcontextprotocol/skills",
    methods: { "skills/list": { run: () => ({ skills: [entry] }) } },
  });
  return { server, reads };
}

function digest(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

test("skills are listed without reading their files", async () => {
  const { server, reads } = createSkillServer({});

  await play(server, "sep-2640-client-no-prefetch");

  expect(reads).toEqual([]);
});

test.each([
  ["digest", { digest: digest("another text") }],
  ["size", { size: 5 }],
  ["frontmatter", { frontmatter: { name: "pdf", description: "Something else" } }],
])("a skill whose %s is not as listed is given up after its own file", async (what, listed) => {
  const { server, reads } = createSkillServer(listed);

  await play(server, `sep-2640-client-verify-${what}`);

  expect(reads).toEqual(["skill://pdf/SKILL.md"]);
});

test("a skill that is as listed fails the scenarios that are about one that is not", async () => {
  const { server, reads } = createSkillServer({});

  await expect(play(server, "sep-2640-client-verify-digest")).rejects.toThrow("invalid_response");

  expect(reads).toHaveLength(2);
});
