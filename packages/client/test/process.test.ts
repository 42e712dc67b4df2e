import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MCPClient, ProcessOptions } from "@mortise/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { failureOf, openClient } from "./open-client.js";

const SCRIPT = fileURLToPath(new URL("servers/scripted.mjs", import.meta.url));

function start(behaviour: string, options: Partial<ProcessOptions> = {}): { client: MCPClient; log: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  const file = join(folder, "log");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const client = openClient({ command: process.execPath, args: [SCRIPT, behaviour, file], ...options });
  return { client, log: () => readFileSync(file, "utf8").trim().split("\n") };
}

describe("a server process", () => {
  test("that is modern is discovered, called and ended", async () => {
    const { client, log } = start("modern");

    const server = await client.connect();
    const { text } = await client.callTool("echo");
    await client.close();

    expect(server.era).toBe("modern");
    expect(() => process.kill(Number(text.slice(4)), 0)).toThrow();
    expect(log()).toEqual(["start", "server/discover", "tools/list", "tools/call"]);
  });

  test("that ignores unknown methods is legacy after the probe timeout", async () => {
    const { client, log } = start("silent-legacy", { probeTimeout: 300 });

    const server = await client.connect();

    expect(server).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
    expect(client.getToolNames()).toEqual(["echo"]);
    expect(log()).toEqual(["start", "server/discover", "initialize", "notifications/initialized", "tools/list"]);
  });

  test("that ends at the first question is started again for the handshake", async () => {
    const { client, log } = start("touchy-legacy");

    const server = await client.connect();

    expect(server.era).toBe("legacy");
    expect(log()).toEqual([
      "start",
      "server/discover",
      "start",
      "again",
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
  });

  test("that dies rejects every call on its way, and is started again by the next", async () => {
    const { client } = start("modern");
    await client.connect();

    const errors = await Promise.all([failureOf(client.callTool("hang")), failureOf(client.callTool("die"))]);
    const next = await client.callTool("echo");

    for (const error of errors) expect(error.message).toBe(`MCP server process '${process.execPath}' exited (code 3)`);
    expect(errors[0]).toMatchObject({ code: "connection_closed" });
    expect(next.text).toMatch(/^pid /);
  });

  test("that dies at once fails the connection with its exit code", async () => {
    const { client } = start("broken");

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_closed" });
    expect(error.message).toContain("exited (code 7)");
  });

  test("that cannot be started fails the connection", async () => {
    const client = openClient({ command: "no-such-program-anywhere" });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "connection_failed" });
  });

  test("leaves no timer and no process behind once the client is closed", async () => {
    const { client } = start("silent-legacy", { probeTimeout: 50 });
    await client.connect();

    await client.close();

    await expect.poll(listResources).toEqual([]);
  });
});

function listResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name === "ProcessWrap");
}
