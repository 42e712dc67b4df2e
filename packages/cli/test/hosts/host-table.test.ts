import { describe, expect, test } from "vitest";
import { HOSTS, projectFile } from "../../src/hosts/host-table.js";
import type { Machine } from "../../src/hosts/machine.js";
import { createMachine } from "./machines.js";

function listUserFiles(machine: Machine): Record<string, string> {
  return Object.fromEntries(HOSTS.map((host) => [host.id, host.userFile(machine)]));
}

describe("where hosts keep a user's servers", () => {
  test("on macOS", () => {
    expect(listUserFiles(createMachine("darwin"))).toEqual({
      "claude-code": "/Users/ada/.claude.json",
      cursor: "/Users/ada/.cursor/mcp.json",
      vscode: "/Users/ada/Library/Application Support/Code/User/mcp.json",
      "claude-desktop": "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json",
      windsurf: "/Users/ada/.codeium/windsurf/mcp_config.json",
    });
  });

  test("on Linux", () => {
    expect(listUserFiles(createMachine("linux"))).toMatchObject({
      "claude-code": "/home/ada/.claude.json",
      vscode: "/home/ada/.config/Code/User/mcp.json",
      "claude-desktop": "/home/ada/.config/Claude/claude_desktop_config.json",
    });
  });

  test("on Windows, whatever the case of its variables", () => {
    const machine = createMachine("win32", { env: { AppData: "D:\\Roaming" } });

    expect(listUserFiles(machine)).toEqual({
      "claude-code": "C:\\Users\\ada\\.claude.json",
      cursor: "C:\\Users\\ada\\.cursor\\mcp.json",
      vscode: "D:\\Roaming\\Code\\User\\mcp.json",
      "claude-desktop": "D:\\Roaming\\Claude\\claude_desktop_config.json",
      windsurf: "C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json",
    });
  });

  test("where variables move them", () => {
    const env = { CLAUDE_CONFIG_DIR: "/settings/claude", XDG_CONFIG_HOME: "/settings" };

    expect(listUserFiles(createMachine("linux", { env }))).toMatchObject({
      "claude-code": "/settings/claude/.claude.json",
      vscode: "/settings/Code/User/mcp.json",
    });
  });
});

test("three hosts have a file for a project", () => {
  const files = HOSTS.map((host) => projectFile(host, createMachine("linux")));

  expect(files).toEqual([
    "/home/ada/shop/.mcp.json",
    "/home/ada/shop/.cursor/mcp.json",
    "/home/ada/shop/.vscode/mcp.json",
    undefined,
    undefined,
  ]);
});
