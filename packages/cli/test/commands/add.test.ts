import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, runCommand } from "../command-process.js";

test("mortise add writes the entry, and says where to people alone", async () => {
  const cwd = createFolder();

  const { code, stdout, stderr } = await runCommand(["add", "cursor", "--project", "--env", "OPENAI_API_KEY"], { cwd });

  const file = join(cwd, ".cursor", "mcp.json");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    mcpServers: {
      mortise: {
        command: "npx",
        args: ["-y", "mortise", "mcp"],
        env: { OPENAI_API_KEY: `\${env:OPENAI_API_KEY}` },
      },
    },
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toContain(file);
});

test("mortise add --print prints the entry to stdout, and writes nothing", async () => {
  const HOME = createFolder();

  const { code, stdout } = await runCommand(["add", "claude-code", "--print", "--name", "ai"], { env: { HOME } });

  expect(code).toBe(0);
  expect(Object.keys(JSON.parse(stdout).mcpServers)).toEqual(["ai"]);
  await expect(readFile(join(HOME, ".claude.json"))).rejects.toThrow();
});

test("mortise add ends with 1 for a file that is broken, and leaves it", async () => {
  const cwd = createFolder();
  await writeFile(join(cwd, ".mcp.json"), "{ broken");

  const { code, stderr } = await runCommand(["add", "claude-code", "--project"], { cwd });

  expect(code).toBe(1);
  expect(stderr).toContain("line 1, column 3");
  expect(await readFile(join(cwd, ".mcp.json"), "utf8")).toBe("{ broken");
});

test.each([
  [["add"]],
  [["add", "emacs"]],
  [["add", "windsurf", "--project"]],
  [["add", "cursor", "--http", "nowhere"]],
  [["add", "cursor", "--env", "sk-live-1234"]],
])("ends with 2 for %j", async (args) => {
  const { code, stdout, stderr } = await runCommand(args);

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).not.toContain("1234");
});
