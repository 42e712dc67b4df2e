import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { runCommand, startCommand } from "../command-process.js";

test.each(["--version", "-v"])("%s prints the version", async (flag) => {
  expect(await runCommand([flag])).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each([{ args: ["help"] }, { args: ["--help"] }, { args: ["help", "mcp"] }, { args: ["mcp", "--help"] }])(
  "$args prints help on stdout",
  async ({ args }) => {
    const { code, stdout, stderr } = await runCommand(args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: mortise/);
  },
);

test("without a command, help goes to stderr and the command line counts as wrong", async () => {
  const { code, stdout, stderr } = await runCommand([]);

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Usage: mortise/);
});

describe("what is wrong with the command line is told in one line on stderr, with exit code 2:", () => {
  test.each([
    { args: ["mcp", "--http", "--port", "http"] },
    { args: ["mcp", "--http", "--port", "65536"] },
    { args: ["mcp", "--http", "--path", "/mcp?x=1"] },
    { args: ["mcp", "--http", "--origin", "app.example.com"] },
    { args: ["mcp", "--http", "--token", "two words"] },
    { args: ["mcp", "--http", "--allow-host", "http://a"] },
    { args: ["mcp", "--port", "3210"] },
    { args: ["mcp", "--tools", "ask_model,unknown"] },
    { args: ["mcp", "--tools", ","] },
    { args: ["mcp", "--provider", "unknown"] },
    { args: ["mcp", "--log-level", "loud"] },
    { args: ["mcp", "--unknown"] },
    { args: ["mcp", "more"] },
    { args: ["unknown"] },
  ])("$args", async ({ args }) => {
    const { code, stdout, stderr } = await runCommand(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });

  test.each(["0", "-1", "1.5", "many"])("MORTISE_MCP_PAGE_SIZE=%s", async (size) => {
    const { code, stdout, stderr } = await runCommand(["mcp"], { env: { MORTISE_MCP_PAGE_SIZE: size } });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  });
});

test("a reader that has read enough ends nothing with a failure", async () => {
  const { child, ended } = startCommand(["mcp", "--help"], { input: "" });
  child.stdout?.destroy();

  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test("nothing is coloured where stderr is no terminal", async () => {
  const { stderr } = await runCommand(["mcp", "--unknown"], { env: { TERM: "xterm-256color" } });

  expect(stderr).not.toContain("\u001b");
});
