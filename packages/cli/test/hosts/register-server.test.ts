import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { CommandFailure } from "../../src/command-failure.js";
import { HOSTS } from "../../src/hosts/host-table.js";
import { isOwnEntry, registerServer } from "../../src/hosts/register-server.js";
import { createRegistration } from "../../src/hosts/registration.js";
import { createMachine } from "./machines.js";

interface Asked {
  readonly host?: string;
  readonly env?: readonly string[];
  readonly http?: string;
  readonly force?: boolean;
}

function register(text: string, { host: id = "cursor", env = [], http, force = false }: Asked = {}): string {
  const host = HOSTS.find((row) => row.id === id)!;
  const registration = createRegistration(host, { env, http, reveal: true }, createMachine("linux"));
  return registerServer(text, { host, name: "mortise", registration, force });
}

const ENTRY = { command: "npx", args: ["-y", "mortise", "mcp"] };

describe("a file that has other things in it", () => {
  test("keeps comments beside what they are about, other servers, and the way it is written", () => {
    const text = `// servers of the team
{
    "theme": "dark", // nice
    "mcpServers": {
        // for tickets
        "tickets": { "command": "node",   "args": ["t.js"] } // do not touch
        // "old": { "command": "old" }
    }
}
`;

    expect(register(text)).toBe(`// servers of the team
{
    "theme": "dark", // nice
    "mcpServers": {
        // for tickets
        "tickets": { "command": "node",   "args": ["t.js"] }, // do not touch
        "mortise": {
            "command": "npx",
            "args": ["-y", "mortise", "mcp"]
        }
        // "old": { "command": "old" }
    }
}
`);
  });

  test("keeps a trailing comma", () => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "a" }, // last\n  },\n}\n';

    expect(register(text)).toBe(
      '{\n  "mcpServers": {\n    "a": { "command": "a" }, // last\n    "mortise": {\n      "command": "npx",\n      "args": ["-y", "mortise", "mcp"]\n    },\n  },\n}\n',
    );
  });

  test("finds a comma that stands on a line of its own", () => {
    const text = '{\n  "mcpServers": {\n    "a": { "command": "a" }\n    /* and */ ,\n  }\n}\n';

    expect(parse(register(text), [], { allowTrailingComma: true }).mcpServers).toEqual({
      a: { command: "a" },
      mortise: ENTRY,
    });
  });

  test("keeps tabs and the line ends of Windows", () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "a" }\r\n\t}\r\n}\r\n';

    expect(register(text)).toBe(
      '{\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "a" },\r\n\t\t"mortise": {\r\n\t\t\t"command": "npx",\r\n\t\t\t"args": ["-y", "mortise", "mcp"]\r\n\t\t}\r\n\t}\r\n}\r\n',
    );
  });

  test("keeps a byte-order mark, and no end of the last line", () => {
    const result = register('\ufeff{ "a": 1 }');

    expect(result.startsWith('\ufeff{ "a": 1, "mcpServers": {')).toBe(true);
    expect(result.endsWith("}")).toBe(true);
  });

  test("is changed at no other place, wherever the servers stand", () => {
    const text = '{"numbers":[1,2 ,3],"mcpServers":{},"deep":{"b":[{"c":"\\u00e9"}]}}';

    const result = register(text);

    expect(result.startsWith('{"numbers":[1,2 ,3],"mcpServers":{')).toBe(true);
    expect(result.endsWith('},"deep":{"b":[{"c":"\\u00e9"}]}}')).toBe(true);
    expect(JSON.parse(result).mcpServers).toEqual({ mortise: ENTRY });
  });

  test("keeps comments in an object with nothing else in it", () => {
    const result = register('{\n  "mcpServers": {\n    // none yet\n  }\n}\n');

    expect(result).toContain("// none yet\n    ");
    expect(parse(result).mcpServers).toEqual({ mortise: ENTRY });
  });
});

test.each(["", "\n", "\ufeff", "// nothing yet\n", "{}", "{\n}\n"])("a file that holds %j gets an object", (text) => {
  const result = register(text);

  expect(parse(result.replace("\ufeff", ""))).toEqual({ mcpServers: { mortise: ENTRY } });
  expect(result.startsWith(text.trimEnd().replace("}", "").trimEnd())).toBe(true);
});

describe("an entry that is there already", () => {
  test("is left alone, byte by byte", () => {
    const text = register('{ "mcpServers": { "a": 1 } }');

    expect(register(text)).toBe(text);
  });

  test("gets variables, and keeps those it has", () => {
    const text =
      '{"mcpServers":{"mortise":{"command":"npx","args":["-y","mortise@0.1","mcp","--tools","ask_model"],"env":{"A":"1"}}}}';

    const result = JSON.parse(register(text, { env: ["B=2"] }));

    expect(result.mcpServers.mortise).toEqual({
      command: "npx",
      args: ["-y", "mortise@0.1", "mcp", "--tools", "ask_model"],
      env: { A: "1", B: "2" },
    });
  });

  test("gets another value of a variable", () => {
    const text = register("", { env: ["A=1"] });

    expect(JSON.parse(register(text, { env: ["A=2"] })).mcpServers.mortise.env).toEqual({ A: "2" });
  });

  test("is not replaced when it is another server", () => {
    expect(() => register('{"mcpServers":{"mortise":{"command":"other"}}}')).toThrow(CommandFailure);
  });

  test("is replaced when that is asked for, but for what is the user's", () => {
    const text =
      '{"mcpServers":{"mortise":{"command":"other","args":[],"env":{"A":"1"},"disabled":true},"b":{"command":"b"}}}';

    const result = JSON.parse(register(text, { http: "http://127.0.0.1:3210/mcp", force: true }));

    expect(result.mcpServers).toEqual({
      mortise: { url: "http://127.0.0.1:3210/mcp", disabled: true },
      b: { command: "b" },
    });
  });

  test("becomes a command without what only addresses have", () => {
    const text = '{"mcpServers":{"mortise":{"url":"https://example.com","headers":{"X":"1"}}}}';

    expect(JSON.parse(register(text, { force: true })).mcpServers.mortise).toEqual(ENTRY);
  });
});

describe("the questions of VS Code", () => {
  test("are added behind others, once", () => {
    const text = '{\n  "inputs": [\n    { "id": "x", "type": "promptString" } // mine\n  ],\n  "servers": {}\n}\n';

    const once = register(text, { host: "vscode", env: ["OPENAI_API_KEY"] });

    expect(once).toContain('"promptString" }, // mine');
    expect(parse(once).inputs.map(({ id }: { id: string }) => id)).toEqual(["x", "OPENAI_API_KEY"]);
    expect(register(once, { host: "vscode", env: ["OPENAI_API_KEY"] })).toBe(once);
  });
});

describe("a broken file", () => {
  test.each([
    ['{\n  "mcpServers": {\n    "a": { "command" "a" }\n  }\n}', "line 3, column 22"],
    ['{ "mcpServers": {', "line 1, column 18"],
    ['{ "a": 1 } trailing', "line 1, column 12"],
    ["[1]", "line 1, column 1"],
    ['{ "mcpServers": [] }', "line 1, column 17"],
    ['{ "mcpServers": null }', "line 1, column 17"],
    ['{ "mcpServers": { "mortise": "npx" } }', "line 1, column 30"],
    ['{ "mcpServers": {},\n  "mcpServers": {} }', "line 2, column 3"],
    ['{ "a": "open\n}', "line 1, column 8"],
  ])("is refused with the place: %j", (text, place) => {
    expect(() => register(text)).toThrow(place);
  });

  test("is refused where it is nested too deeply to be read", () => {
    expect(() => register(`{ "key": ${"[".repeat(100_000)}${"]".repeat(100_000)} }`)).toThrow(CommandFailure);
  });

  test("is refused without what stands in it", () => {
    expect(() => register('{ "key": sk-live-1234 }')).toThrow(CommandFailure);
    expect(() => register('{ "key": sk-live-1234 }')).not.toThrow("1234");
  });
});

test.each([
  [{ command: "npx", args: ["-y", "mortise", "mcp"] }, true],
  [{ command: "cmd", args: ["/c", "npx", "-y", "mortise@1.2.3", "mcp", "--provider", "groq"] }, true],
  [{ command: "/usr/local/bin/mortise", args: ["mcp"] }, true],
  [{ command: "npx", args: ["-y", "other", "mcp"] }, false],
  [{ command: "npx", args: ["-y", "mortise-extras", "mcp"] }, false],
  [{ url: "https://example.com/mcp" }, false],
])("knows whether %j is the server of this package", (entry, expected) => {
  expect(isOwnEntry(entry)).toBe(expected);
});
