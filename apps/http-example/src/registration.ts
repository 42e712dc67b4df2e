/** Where the example server can be reached. */
export interface Addresses {
  /** Absolute path of the built stdio server. */
  readonly program: string;
  /** The HTTP endpoint. */
  readonly url: string;
}

const NAME = "mortise-example";

/** Formats what to paste into the common hosts, for both ways to reach the server. */
export function formatRegistration({ program, url }: Addresses): string[] {
  const stdio = { command: "node", args: [program] };
  return [
    "To add it to a host that starts it, over stdio:",
    "",
    ...formatHost("Claude Code, in a shell", `claude mcp add ${NAME} -- node ${quote(program)}`),
    ...formatHost("Cursor, in .cursor/mcp.json", toJson({ mcpServers: { [NAME]: stdio } })),
    ...formatHost("VS Code, in .vscode/mcp.json", toJson({ servers: { [NAME]: { type: "stdio", ...stdio } } })),
    "To add this running one, over HTTP:",
    "",
    ...formatHost("Claude Code, in a shell", `claude mcp add --transport http ${NAME} ${url}`),
    ...formatHost("Cursor, in .cursor/mcp.json", toJson({ mcpServers: { [NAME]: { url } } })),
    ...formatHost("VS Code, in .vscode/mcp.json", toJson({ servers: { [NAME]: { type: "http", url } } })),
  ];
}

function formatHost(title: string, text: string): string[] {
  return [`  ${title}`, `    ${text}`, ""];
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Quotes a path for a shell where it needs it. */
function quote(path: string): string {
  if (/^[\w./:@%+=-]+$/.test(path)) return path;
  return process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
