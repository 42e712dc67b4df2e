import { describe, expect, test } from "vitest";
import { CommandFailure } from "../../src/command-failure.js";
import { previewServer } from "../../src/hosts/add-server.js";
import { HOST_IDS, HOSTS } from "../../src/hosts/host-table.js";
import type { Machine } from "../../src/hosts/machine.js";
import { createRegistration } from "../../src/hosts/registration.js";
import { createMachine } from "./machines.js";

const LINUX = createMachine("linux", { env: { OPENAI_API_KEY: "secret-of-ada" } });
const WINDOWS = createMachine("win32");

interface Asked {
  readonly env?: readonly string[];
  readonly http?: string;
  readonly name?: string;
  readonly project?: boolean;
}

function preview(host: string, asked: Asked = {}, machine: Machine = LINUX): unknown {
  return JSON.parse(show(host, asked, machine).text);
}

function show(host: string, asked: Asked = {}, machine: Machine = LINUX): ReturnType<typeof previewServer> {
  return previewServer({ host, name: "mortise", env: [], project: false, force: false, ...asked }, machine);
}

describe("the entry that starts the server", () => {
  test("says its type where the host wants that", () => {
    expect(preview("claude-code")).toEqual({
      mcpServers: { mortise: { type: "stdio", command: "npx", args: ["-y", "mortise", "mcp"] } },
    });
    expect(preview("vscode")).toEqual({
      servers: { mortise: { type: "stdio", command: "npx", args: ["-y", "mortise", "mcp"] } },
    });
  });

  test.each(["cursor", "claude-desktop", "windsurf"])("is a plain command for %s", (host) => {
    expect(preview(host)).toEqual({ mcpServers: { mortise: { command: "npx", args: ["-y", "mortise", "mcp"] } } });
  });

  test("goes through the interpreter on Windows where the host would not find npx", () => {
    expect(preview("claude-code", {}, WINDOWS)).toMatchObject({
      mcpServers: { mortise: { command: "cmd", args: ["/c", "npx", "-y", "mortise", "mcp"] } },
    });
    expect(preview("vscode", {}, WINDOWS)).toMatchObject({ servers: { mortise: { command: "npx" } } });
  });

  test("warns of an entry that starts on Windows alone in a file that is shared", () => {
    expect(show("claude-code", { project: true }, WINDOWS).notes.join()).toContain("Windows");
    expect(show("claude-code", {}, WINDOWS).notes.join()).not.toContain("Windows");
  });
});

describe("the entry of a server over HTTP", () => {
  const http = "http://127.0.0.1:3210/mcp";

  test("is written as each host wants it", () => {
    expect(preview("claude-code", { http })).toEqual({ mcpServers: { mortise: { type: "http", url: http } } });
    expect(preview("cursor", { http })).toEqual({ mcpServers: { mortise: { url: http } } });
    expect(preview("vscode", { http })).toEqual({ servers: { mortise: { type: "http", url: http } } });
    expect(preview("windsurf", { http })).toEqual({ mcpServers: { mortise: { serverUrl: http } } });
  });

  test("is refused for a host whose file has none", () => {
    expect(() => preview("claude-desktop", { http })).toThrow(CommandFailure);
  });

  test.each(["127.0.0.1:3210/mcp", "ftp://127.0.0.1/mcp", "https://ada:secret@example.com/mcp"])(
    "refuses %s",
    (url) => {
      expect(() => preview("cursor", { http: url })).toThrow(expect.objectContaining({ exitCode: 2 }));
    },
  );

  test("takes no variables, which a running server has of its own", () => {
    expect(() => preview("cursor", { http, env: ["OPENAI_API_KEY"] })).toThrow(CommandFailure);
  });
});

describe("variables of the server", () => {
  const env = ["OPENAI_API_KEY"];

  test("are only named where the host finds their values", () => {
    expect(preview("claude-code", { env })).toMatchObject({
      mcpServers: { mortise: { env: { OPENAI_API_KEY: `\${OPENAI_API_KEY:-}` } } },
    });
    expect(preview("cursor", { env })).toMatchObject({
      mcpServers: { mortise: { env: { OPENAI_API_KEY: `\${env:OPENAI_API_KEY}` } } },
    });
  });

  test("are asked for where the host can ask", () => {
    expect(preview("vscode", { env })).toMatchObject({
      servers: { mortise: { env: { OPENAI_API_KEY: `\${input:OPENAI_API_KEY}` } } },
      inputs: [{ type: "promptString", id: "OPENAI_API_KEY", password: true }],
    });
  });

  test("are written with their values where the host knows nothing else", () => {
    const host = HOSTS.find(({ id }) => id === "claude-desktop")!;

    const { entry, holdsValues } = createRegistration(host, { env, reveal: true }, LINUX);

    expect(entry.env).toEqual({ OPENAI_API_KEY: "secret-of-ada" });
    expect(holdsValues).toBe(true);
  });

  test.each(HOST_IDS)("never show their values for %s", (host) => {
    const shown = show(host, { env });

    expect(JSON.stringify(shown)).not.toContain("secret-of-ada");
  });

  test("keep a value that is given, with every = in it", () => {
    expect(preview("cursor", { env: ["TOKEN=a=b="] })).toMatchObject({
      mcpServers: { mortise: { env: { TOKEN: "a=b=" } } },
    });
  });

  test("need a value where the host knows nothing else and none is set", () => {
    const host = HOSTS.find(({ id }) => id === "claude-desktop")!;

    expect(() => createRegistration(host, { env: ["GROQ_API_KEY"], reveal: true }, LINUX)).toThrow("GROQ_API_KEY");
  });

  test("are told of when they are not set", () => {
    expect(show("cursor", { env: ["GROQ_API_KEY"] }).notes.join()).toContain("GROQ_API_KEY");
    expect(show("cursor", { env }).notes).toEqual([]);
  });

  test.each(["sk-live-1234", "1A=b", "=b", "A B=c"])("refuse %s without repeating it", (text) => {
    expect(() => preview("cursor", { env: [text] })).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => preview("cursor", { env: [text] })).not.toThrow(text);
  });
});

describe("keys that are not named", () => {
  test("are suggested where they are set and the host may not know them", () => {
    expect(show("cursor").notes.join()).toContain("--env OPENAI_API_KEY");
    expect(show("claude-code").notes).toEqual([]);
  });

  test("are missed where none is set", () => {
    expect(show("claude-code", {}, createMachine("linux")).notes).toHaveLength(1);
  });
});

describe("the command of Claude Code that does the same", () => {
  test("registers a command, and names variables for the shell", () => {
    const { command } = show("claude-code", { env: ["OPENAI_API_KEY", "A=it's"] });

    expect(command).toBe(
      `claude mcp add --scope user mortise -e OPENAI_API_KEY="$OPENAI_API_KEY" -e 'A=it'\\''s' -- npx -y mortise mcp`,
    );
  });

  test("registers an address", () => {
    const { command } = show("claude-code", { http: "https://example.com/mcp", project: true });

    expect(command).toBe("claude mcp add --scope project --transport http mortise https://example.com/mcp");
  });
});

test.each(["", "1st", "a b", "__proto__", "a.b", "x".repeat(65)])("refuses %j as the name of a server", (name) => {
  expect(() => preview("cursor", { name })).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test.each(["claude-desktop", "windsurf"])("refuses a project for %s, which has no file for one", (host) => {
  expect(() => preview(host, { project: true })).toThrow(expect.objectContaining({ exitCode: 2 }));
});
