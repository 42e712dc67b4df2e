// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested

import { MCPClient } from "@mortise/client";
import { type ParseConfigOptions, parseConfig } from "@mortise/client/config";
import { describe, expect, test } from "vitest";

describe("the shapes that hosts write", () => {
  test.each([
    ["Claude Desktop", { mcpServers: { files: { command: "npx", args: ["-y", "files"], env: { A: "1" } } } }],
    [
      "Claude Code",
      { mcpServers: { files: { type: "stdio", command: "npx", args: ["-y", "files"], env: { A: "1" } } } },
    ],
    [
      "VS Code's mcp.json",
      {
        inputs: [],
        servers: { files: { type: "stdio", command: "npx", args: ["-y", "files"], env: { A: 1, B: null } } },
      },
    ],
    ["VS Code's settings", { mcp: { servers: { files: { command: "npx", args: ["-y", "files"], env: { A: "1" } } } } }],
    [
      "VS Code's settings, flat",
      { "mcp.servers": { files: { command: "npx", args: ["-y", "files"], env: { A: "1" } } } },
    ],
  ])("are read: %s", (_, config) => {
    const servers = parseConfig(JSON.stringify(config), {});

    expect([...servers]).toEqual([["files", { command: "npx", args: ["-y", "files"], env: { A: "1" } }]]);
  });

  test.each([
    ["an address alone", { url: "https://a.test/mcp" }, "auto"],
    ["Windsurf's name for it", { serverUrl: "https://a.test/mcp" }, "auto"],
    ["the type http", { type: "http", url: "https://a.test/mcp" }, "auto"],
    ["the type streamable-http", { type: "streamable-http", url: "https://a.test/mcp" }, "auto"],
    ["the type sse", { type: "sse", url: "https://a.test/mcp" }, "sse"],
    ["a transport in place of a type", { transport: "sse", url: "https://a.test/mcp" }, "sse"],
  ])("name an HTTP server by %s", (_, entry, transport) => {
    const servers = parseConfig(JSON.stringify({ mcpServers: { web: { ...entry, headers: { "X-Key": "k" } } } }), {});

    expect(servers.get("web")).toEqual({ url: "https://a.test/mcp", headers: { "X-Key": "k" }, transport });
  });

  test("may have comments, trailing commas, a byte-order mark and members nobody knows", () => {
    const text =
      '\ufeff{ // servers\n "mcpServers": { "a": { "command": "x", "cwd": "/tmp", "alwaysAllow": ["y"], }, }, }';

    expect([...parseConfig(text, {})]).toEqual([["a", { command: "x", cwd: "/tmp" }]]);
  });

  test("switch servers off, which then need no values", () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: "${MISSING}", disabled: true },
        b: { command: "x", enabled: false },
        c: { command: "x", disabled: false, enabled: true },
      },
    });

    expect([...parseConfig(text, {}).keys()]).toEqual(["c"]);
  });

  test("may name a server or a variable as objects name their own", () => {
    const text = '{"mcpServers":{"__proto__":{"command":"x","env":{"__proto__":"1","constructor":"2"}}}}';

    const { env } = (parseConfig(text, {}).get("__proto__") ?? {}) as { env?: Record<string, string> };

    expect(Object.entries(env ?? {})).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
  });

  test("give clients", async () => {
    const clients = await MCPClient.fromConfig(
      parseConfig('{"servers":{"a":{"url":"http://127.0.0.1:9/${P}"}}}', { P: "${Q}" }),
    );

    expect([...clients.keys()]).toEqual(["a"]);
  });
});

describe("placeholders", () => {
  const cases: [string, string, string, ParseConfigOptions?][] = [
    ["a variable", "Bearer ${TOKEN}", "Bearer t-1"],
    ["a variable of the environment, said so", "${env:TOKEN}", "t-1"],
    ["several in one text", "${TOKEN}/${OTHER}", "t-1/${TOKEN}"],
    ["a value that holds a placeholder, which is not filled in", "${OTHER}", "${TOKEN}"],
    ["a default for a variable that is missing", "${MISSING:-fall back}", "fall back"],
    ["a default for a variable that is empty", "${EMPTY:-x}", "x"],
    ["no default where there is a value", "${TOKEN:-x}", "t-1"],
    ["an empty default", "a${MISSING:-}b", "ab"],
    ["a default with a colon and a dash", "${MISSING:-a:-b}", "a:-b"],
    ["an empty value", "a${EMPTY}b", "ab"],
    ["an escaped placeholder", "$${TOKEN}", "${TOKEN}"],
    ["a dollar before an escaped one", "$$${TOKEN}", "$${TOKEN}"],
    ["a dollar without brackets", "$TOKEN $ $$", "$TOKEN $ $$"],
    ["brackets without a dollar", "{TOKEN} }", "{TOKEN} }"],
    ["an input by its id", "${input:key}", "in-1", { inputs: { key: "in-1" } }],
    ["an input of a function", "${input:key}", "in-key", { inputs: (id) => `in-${id}` }],
    ["an input with a default", "${input:gone:-d}", "d"],
    ["a value with the patterns of replacements", "${PATTERN}", "$& $1 $$"],
    ["a name in other letters, where that is allowed", "${token}", "t-1", { ignoreCase: true }],
  ];
  const env = { TOKEN: "t-1", OTHER: "${TOKEN}", EMPTY: "", PATTERN: "$& $1 $$" };

  test.each(cases)("give %s", (_, text, value, options) => {
    const config = JSON.stringify({ mcpServers: { a: { command: "x", args: [text] } } });

    expect(parseConfig(config, env, options).get("a")).toEqual({ command: "x", args: [value] });
  });

  test("stand in every value that reaches a server", () => {
    const config = JSON.stringify({
      mcpServers: {
        a: { command: "${V}", args: ["${V}"], env: { A: "${V}" }, cwd: "${V}" },
        b: { url: "https://${V}.test/mcp", headers: { "X-Key": "${V}" } },
      },
    });

    expect([...parseConfig(config, { V: "v" }).values()]).toEqual([
      { command: "v", args: ["v"], env: { A: "v" }, cwd: "v" },
      { url: "https://v.test/mcp", headers: { "X-Key": "v" }, transport: "auto" },
    ]);
  });

  const missing: [string, object, string, string][] = [
    [
      "a header",
      { url: "https://a.test", headers: { Authorization: "Bearer ${GONE}" } },
      "GONE",
      "headers.Authorization",
    ],
    ["an argument", { command: "x", args: ["a", "--key=${env:GONE}"] }, "env:GONE", "args[1]"],
    ["a variable", { command: "x", env: { K: "${GONE}" } }, "GONE", "env.K"],
    ["an address", { url: "https://${GONE}/mcp" }, "GONE", "url"],
    ["an input", { command: "${input:gone}" }, "input:gone", "command"],
    ["a name that every object has", { command: "${constructor}" }, "constructor", "command"],
    ["a name in other letters", { command: "${home}" }, "home", "command"],
  ];

  test.each(missing)("without a value in %s are an error that names all there is to know", (_, entry, name, field) => {
    const config = JSON.stringify({ mcpServers: { "my server": entry } });

    expect(() => parseConfig(config, { HOME: "/root" })).toThrow(
      expect.objectContaining({ code: "invalid_options", message: expect.stringContaining(`"\${${name}}"`) }),
    );
    expect(() => parseConfig(config, { HOME: "/root" })).toThrow(`"${field}" of server "my server"`);
  });

  test.each(["${A${B}}", "${A:-${B}}", "${A", "${}", "${env:}", "${config:x}", "${ANY${", "${A:x}"])(
    "that nobody understands are refused: %s",
    (text) => {
      const config = JSON.stringify({ mcpServers: { a: { command: text } } });

      expect(() => parseConfig(config, { A: "1", B: "2" })).toThrow(
        expect.objectContaining({
          code: "invalid_options",
          message: expect.stringContaining('"command" of server "a"'),
        }),
      );
    },
  );

  test("of an object have no values unless some are given", async () => {
    const config = { mcpServers: { a: { url: "https://a.test", headers: { "X-Key": "${KEY}" } } } };

    await expect(MCPClient.fromConfig(config)).rejects.toMatchObject({ code: "invalid_options" });
    expect((await MCPClient.fromConfig(config, {}, { env: { KEY: "k" } })).size).toBe(1);
  });
});

describe("a configuration that is wrong", () => {
  const secret = "sk-very-secret";
  const wrong: [string, object, string][] = [
    ["a header with a line end", { url: "https://a.test", headers: { "X-Key": "${NEWLINE}" } }, "X-Key"],
    ["a header with a name that is none", { url: "https://a.test", headers: { "X Key": "${SECRET}" } }, "headers"],
    ["a header that is no text", { url: "https://a.test", headers: { "X-Key": 5 } }, "headers.X-Key"],
    ["an address that is none", { url: "${SECRET}" }, "url"],
    ["an address of another kind", { url: "ws://a.test/${SECRET}" }, "url"],
    ["an address that is no text", { url: 5 }, "url"],
    ["a NUL in an argument", { command: "x", args: ["${NUL}"] }, "args[0]"],
    ["a NUL in a variable", { command: "x", env: { K: "${NUL}" } }, "env.K"],
    ["both an address and a command", { command: "x", url: "https://a.test" }, "server"],
    ["neither", { type: "stdio", args: ["${SECRET}"] }, "server"],
    ["a type without its address", { type: "http", command: "x" }, "server"],
    ["a type nobody knows", { type: "ws", url: "https://a.test" }, "type"],
    ["a file of variables", { command: "x", envFile: ".env" }, "envFile"],
    ["an env that is a list", { command: "x", env: ["A=1"] }, "env"],
    ["a directory that is no text", { command: "x", cwd: 1 }, "cwd"],
  ];

  test.each(wrong)("names server and member, and no value: %s", (_, entry, member) => {
    const config = JSON.stringify({ mcpServers: { bad: entry } });
    const env = { SECRET: secret, NEWLINE: `${secret}\n`, NUL: `${secret}\0` };
    let message = "";

    try {
      parseConfig(config, env);
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_options" });
      message = String(error);
    }

    expect(message).toContain('"bad"');
    expect(message).toContain(member);
    expect(message).not.toContain(secret);
  });

  test.each(["[]", "null", "{}", '{"mcpServers":[]}', '{"servers":{"a":null}}'])("is refused: %s", (text) => {
    expect(() => parseConfig(text, {})).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});
