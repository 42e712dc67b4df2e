import { type ClientOptions, MCPClient } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

describe("the options of a client", () => {
  test.each([
    ["nothing", undefined],
    ["an empty object", {}],
    ["a relative address", "/mcp"],
    ["an address of another scheme", "ftp://example.com/mcp"],
    ["an address whose password is not percent-encoded", "http://ann:50%secret@a.test/mcp"],
    ["an empty command", { command: "" }],
    ["arguments that are no list", { command: "node", args: "server.js" }],
    ["a negative timeout", { url: "http://a.test", timeout: -1 }],
    ["a timeout that is no number", { url: "http://a.test", timeout: Number.NaN }],
    ["a negative probe timeout", { url: "http://a.test", probeTimeout: -5 }],
    ["an unknown era", { url: "http://a.test", era: "old" }],
    ["a size that is none", { url: "http://a.test", maxMessageBytes: 0 }],
    ["capabilities that are no object", { url: "http://a.test", capabilities: [] }],
    ["headers that are no object", { url: "http://a.test", headers: "x: y" }],
    ["a fetch that is no function", { url: "http://a.test", fetch: {} }],
    ["a reporter that is no function", { url: "http://a.test", onError: "console" }],
    ["a listener that is no function", { url: "http://a.test", onNotification: 5 }],
    ["a check that is no function", { url: "http://a.test", validateOutput: true }],
    ["a verdict that is none", { url: "http://a.test", prior: "legacy" }],
    ["a client without a name", { url: "http://a.test", clientInfo: { version: "1" } }],
    ["a transport that cannot send", { transport: {} }],
  ])("cannot be %s", (_, options) => {
    expect(() => new MCPClient(options as ClientOptions)).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test.each([
    ["no name", undefined, {}],
    ["a name that is no text", 5, {}],
    ["no arguments", "echo", null],
    ["a list of arguments", "echo", []],
  ])("let no tool be called with %s", async (_, name, args) => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);
    expect(await failureOf(client.callTool(name as never, args as never))).toMatchObject({ code: "invalid_options" });
    expect(fake.log).toEqual([]);
  });

  test("do not show the query of an address in errors", async () => {
    const fake = await startFake((reply) => reply.status(500, `refused secret-key and token-value`));
    const client = openClient({ url: `${fake.url}?key=secret-key`, headers: { authorization: "Bearer token-value" } });

    const error = await failureOf(client.connect());
    await client.close();

    expect(error.message).not.toContain("secret-key");
    expect(error.message).not.toContain("token-value");
    expect(JSON.stringify(error.cause)).not.toContain("token-value");
    expect(fake.log[0]?.path).toBe("/mcp?key=secret-key");
  });

  test("that ask for debug output show no secret", async () => {
    const lines: string[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((line: string) => lines.push(line) > 0) as typeof process.stderr.write;
    try {
      const fake = await startFake(serveModern());
      const client = openClient({
        url: `${fake.url}?key=secret-key`,
        headers: { authorization: "Bearer token-value" },
        debug: true,
      });
      await client.callTool("echo", { text: "private text" });
      await client.close();
    } finally {
      process.stderr.write = write;
    }

    const output = lines.join("");
    expect(output).toContain("tools/call");
    expect(output).not.toMatch(/secret-key|token-value|private text/);
  });
});

describe("clients from a configuration", () => {
  test("are made for every entry, by name", async () => {
    const fake = await startFake(serveModern());

    const clients = await MCPClient.fromConfig({
      mcpServers: {
        web: { type: "http", url: fake.url, headers: { "x-team": "7" } },
        local: { command: "node", args: ["server.js"], env: { KEY: "value" }, cwd: "." },
        off: { command: "node", disabled: true },
        ["__proto__"]: { command: "node" },
      },
    });

    expect([...clients.keys()]).toEqual(["web", "local", "__proto__"]);
    await clients.get("web")?.connect();
    expect(fake.log[0]?.headers["x-team"]).toBe("7");
    await clients.get("web")?.close();
  });

  test("share options", async () => {
    const fake = await startFake(() => undefined);
    const clients = await MCPClient.fromConfig({ mcpServers: { web: { url: fake.url } } }, { timeout: 50 });

    const error = await failureOf(clients.get("web")?.connect() ?? Promise.resolve());

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 50 });
  });

  test.each([
    ["no servers", {}],
    ["a list of servers", { mcpServers: [] }],
    ["an entry that is no object", { mcpServers: { bad: "x" } }],
    ["an entry without a place", { mcpServers: { bad: { args: [] } } }],
    ["args that are no texts", { mcpServers: { bad: { command: "x", args: [1] } } }],
    ["env values that are no texts", { mcpServers: { bad: { command: "x", env: { A: [] } } } }],
    ["headers that are no texts", { mcpServers: { bad: { url: "http://a.test", headers: { A: 1 } } } }],
  ])("are not made from %s", async (_, config) => {
    expect(await failureOf(MCPClient.fromConfig(config as never))).toMatchObject({ code: "invalid_options" });
  });
});
