import { expect, test } from "vitest";
import { runCommand } from "../command-process.js";

test.each(["bash", "zsh", "fish", "powershell"])("mortise completion %s knows every command", async (shell) => {
  const { code, stdout } = await runCommand(["completion", shell]);

  expect(code).toBe(0);
  for (const command of ["mcp", "add", "doctor", "completion", "claude-desktop", "log-level"])
    expect(stdout).toContain(command);
});

test("mortise completion ends with 2 for a shell that it does not know", async () => {
  expect((await runCommand(["completion", "tcsh"])).code).toBe(2);
});
