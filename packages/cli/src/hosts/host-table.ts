import { joinPath, type Machine, readVariable } from "./machine.js";

/** How a host finds its servers, and what their entries look like. */
export interface HostRow {
  readonly id: string;
  /** Its name for people. */
  readonly label: string;
  /** The member of its file that holds the servers by name. */
  readonly member: "mcpServers" | "servers";
  /** Its file for everything the user does. */
  userFile(machine: Machine): string;
  /** Its file for one project, as parts of a path below the project; `undefined` where it has none. */
  readonly projectFile: readonly string[] | undefined;
  /** Whether entries say their type. */
  readonly typed: boolean;
  /** The member with the address of a server over HTTP; `undefined` where the file can only name commands. */
  readonly address: "url" | "serverUrl" | undefined;
  /** Whether it starts programs on Windows in a way that does not find `npx.cmd`. */
  readonly needsInterpreter: boolean;
  /** How an entry gets the value of a variable without holding it: from the host's environment, or by asking the user once. */
  readonly variables: "environment" | "prompt" | undefined;
  /** How the host's environment is referred to. */
  refer(name: string): string;
  /** What makes it notice a change. */
  readonly reload: string;
}

/** The hosts that `mortise add` knows. */
export const HOSTS: readonly HostRow[] = [
  {
    id: "claude-code",
    label: "Claude Code",
    member: "mcpServers",
    userFile: (machine) =>
      joinPath(machine, readVariable(machine, "CLAUDE_CONFIG_DIR") ?? machine.home, ".claude.json"),
    projectFile: [".mcp.json"],
    typed: true,
    address: "url",
    needsInterpreter: true,
    variables: "environment",
    // It refuses a whole file for one variable that is not set; an empty one counts as unset to the server.
    refer: (name) => `\${${name}:-}`,
    reload: "Start a new session of Claude Code, and look at /mcp there",
  },
  {
    id: "cursor",
    label: "Cursor",
    member: "mcpServers",
    userFile: (machine) => joinPath(machine, machine.home, ".cursor", "mcp.json"),
    projectFile: [".cursor", "mcp.json"],
    typed: false,
    address: "url",
    needsInterpreter: true,
    variables: "environment",
    refer: (name) => `\${env:${name}}`,
    reload: "Restart Cursor, or switch the server on in its MCP settings",
  },
  {
    id: "vscode",
    label: "VS Code",
    member: "servers",
    userFile: (machine) => joinPath(machine, applicationFolder(machine), "Code", "User", "mcp.json"),
    projectFile: [".vscode", "mcp.json"],
    typed: true,
    address: "url",
    needsInterpreter: false,
    variables: "prompt",
    refer: (name) => `\${input:${name}}`,
    reload: 'Run "MCP: List Servers" in VS Code and start it',
  },
  {
    id: "claude-desktop",
    label: "Claude Desktop",
    member: "mcpServers",
    userFile: (machine) => joinPath(machine, applicationFolder(machine), "Claude", "claude_desktop_config.json"),
    projectFile: undefined,
    typed: false,
    address: undefined,
    needsInterpreter: true,
    variables: undefined,
    refer: (name) => name,
    reload: "Quit Claude Desktop and open it again",
  },
  {
    id: "windsurf",
    label: "Windsurf",
    member: "mcpServers",
    userFile: (machine) => joinPath(machine, machine.home, ".codeium", "windsurf", "mcp_config.json"),
    projectFile: undefined,
    typed: false,
    address: "serverUrl",
    needsInterpreter: false,
    variables: "environment",
    refer: (name) => `\${env:${name}}`,
    reload: "Refresh the servers in Windsurf's MCP settings",
  },
];

/** The names by which the command line knows hosts. */
export const HOST_IDS: readonly string[] = HOSTS.map(({ id }) => id);

/** The file of a host for one project; `undefined` where it has none. */
export function projectFile(host: HostRow, machine: Machine): string | undefined {
  return host.projectFile && joinPath(machine, machine.cwd, ...host.projectFile);
}

/** Where programs keep the settings of a user. */
function applicationFolder(machine: Machine): string {
  const { platform, home } = machine;
  if (platform === "darwin") return joinPath(machine, home, "Library", "Application Support");
  if (platform === "win32") return readVariable(machine, "APPDATA") ?? joinPath(machine, home, "AppData", "Roaming");
  return readVariable(machine, "XDG_CONFIG_HOME") ?? joinPath(machine, home, ".config");
}
