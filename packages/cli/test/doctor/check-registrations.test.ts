import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkRegistrations } from "../../src/doctor/check-registrations.js";
import type { Finding } from "../../src/doctor/finding.js";
import { addServer } from "../../src/hosts/add-server.js";
import type { Machine } from "../../src/hosts/machine.js";

let home: string;
let machine: Machine;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "mortise-"));
  const { PATH } = process.env;
  machine = { platform: "linux", home, cwd: join(home, "shop"), env: { PATH, OPENAI_API_KEY: "secret-value" } };
});
afterEach(() => rm(home, { recursive: true }));

async function write(path: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), typeof content === "string" ? content : JSON.stringify(content));
}

async function check(): Promise<readonly Finding[]> {
  return (await checkRegistrations(machine)).findings;
}

const OWN = { command: "npx", args: ["-y", "mortise", "mcp"] };

describe("the registrations of this machine", () => {
  test("are none at first, which is told with what to do", async () => {
    expect(await check()).toMatchObject([{ state: "warning", hint: expect.stringContaining("mortise add") }]);
  });

  test.each(["claude-code", "cursor", "vscode"])("are found as they were added for %s", async (host) => {
    await addServer({ host, name: "ai", env: ["OPENAI_API_KEY"], project: true, force: false }, machine);

    expect(await check()).toMatchObject([{ state: "ok", text: expect.stringContaining('"ai" starts npx') }]);
  });

  test("have their key from the project's own .env as well", async () => {
    machine = { ...machine, env: { PATH: machine.env["PATH"] } };
    await addServer({ host: "claude-code", name: "ai", env: ["GEMINI_API_KEY"], project: true, force: false }, machine);
    await write("shop/.env", "GEMINI_API_KEY=secret-value\n");

    const findings = await check();

    expect(findings).toMatchObject([{ state: "ok" }]);
    expect(JSON.stringify(findings)).not.toContain("secret-value");
  });

  test("are found in comments and behind a byte-order mark", async () => {
    await write(".cursor/mcp.json", `\ufeff{ // mine\n "mcpServers": { "mortise": ${JSON.stringify(OWN)}, }, }`);

    expect(await check()).toMatchObject([{ state: "ok" }]);
  });

  test("are found by their name where they call an address", async () => {
    await write(".codeium/windsurf/mcp_config.json", {
      mcpServers: { mortise: { serverUrl: "http://127.0.0.1:3210/mcp?key=secret-value" } },
    });

    const findings = await check();

    expect(findings).toMatchObject([{ state: "ok", text: expect.stringContaining("http://127.0.0.1:3210") }]);
    expect(JSON.stringify(findings)).not.toContain("secret-value");
  });
});

describe("what is wrong with registrations", () => {
  test("a broken file, with the place", async () => {
    await write("shop/.mcp.json", '{\n  "mcpServers": {');

    expect((await check())[0]).toMatchObject({ state: "failed", text: expect.stringContaining("line 2, column 18") });
  });

  test("a variable without a value, named with its place", async () => {
    await write(".claude.json", { mcpServers: { mortise: { ...OWN, env: { GROQ_API_KEY: `\${GROQ_API_KEY}` } } } });

    const [finding] = await check();

    expect(finding).toMatchObject({ state: "failed", text: expect.stringContaining("env.GROQ_API_KEY") });
  });

  test("a command that is not there", async () => {
    await write(".claude.json", { mcpServers: { mortise: { ...OWN, command: "/no/such/npx" } } });

    expect((await check())[0]).toMatchObject({ state: "failed", text: expect.stringContaining("/no/such/npx") });
  });

  test("no key of a provider", async () => {
    machine = { ...machine, env: { PATH: process.env["PATH"] } };
    await write(".claude.json", { mcpServers: { mortise: OWN } });

    expect(await check()).toMatchObject([{ state: "warning", hint: expect.stringContaining("--env") }]);
  });

  test("an entry that is switched off", async () => {
    await write(".cursor/mcp.json", { mcpServers: { mortise: { ...OWN, disabled: true } } });

    expect(await check()).toMatchObject([{ state: "warning" }]);
  });

  test("other servers only count where something is wrong with them, and fail nothing", async () => {
    await write(".cursor/mcp.json", {
      mcpServers: {
        mortise: OWN,
        fine: { command: process.execPath },
        bad: { url: "https://example.com", headers: { Authorization: `Bearer \${NONE}` } },
        worse: 1,
      },
    });

    const findings = await check();

    expect(findings.map(({ state }) => state)).toEqual(["ok", "warning", "warning"]);
    expect(JSON.stringify(findings)).not.toContain("fine");
  });
});
