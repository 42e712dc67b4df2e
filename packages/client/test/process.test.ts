import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MCPClient, ProcessOptions } from "@mortise/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { failureOf, openClient } from "./open-client.js";
import { count } from "./stream-reply.js";

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

  test("that dies rejects every call on its way and all that follow, with its exit, until connect()", async () => {
    const { client, log } = start("modern");
    await client.connect();

    const errors = await Promise.all([failureOf(client.callTool("hang")), failureOf(client.callTool("die"))]);
    const later = [await failureOf(client.callTool("echo")), await failureOf(client.listPrompts())];
    const later2 = await failureOf(client.subscribe({ toolsListChanged: true }));
    await client.connect();
    const next = await client.callTool("echo");

    for (const error of [...errors, ...later, later2]) expect(error).toBe(errors[0]);
    expect(errors[0]).toMatchObject({ code: "connection_closed" });
    expect(errors[0].message).toBe(`MCP server process '${process.execPath}' exited (code 3)`);
    expect(next.text).toMatch(/^pid /);
    expect(count(log(), "start")).toBe(2);
  });

  test("that dies is started again by the next call where that is asked for, once for all of them", async () => {
    const { client, log } = start("modern", { restart: true });
    await client.connect();

    const errors = await Promise.all([failureOf(client.callTool("hang")), failureOf(client.callTool("die"))]);
    const next = await Promise.all([client.callTool("echo"), client.callTool("echo")]);

    for (const error of errors) expect(error).toMatchObject({ code: "connection_closed" });
    expect(next[0].text).toBe(next[1].text);
    expect(count(log(), "start")).toBe(2);
  });

  test.each(["modern", "legacy"] as const)(
    "that is %s and started again is told what is subscribed to",
    async (era) => {
      const { client, log } = start(`${era}-listening`, { restart: true, era });
      const [onChange, onLost, onRestored] = [vi.fn(), vi.fn(), vi.fn()];
      await client.setLogLevel("error");
      const filter = { toolsListChanged: true, resourceSubscriptions: ["docs://a"] };
      const { closed } = await client.subscribe(filter, { onChange, onLost, onRestored });

      await failureOf(client.callTool("die"));
      await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1), { timeout: 5_000 });
      onChange.mockClear();
      await client.callTool("echo");

      await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
      expect(onLost).toHaveBeenCalledTimes(1);
      const restored = log().slice(log().lastIndexOf("start"));
      expect(restored).toContain(era === "modern" ? "subscriptions/listen" : "resources/subscribe");
      if (era === "legacy") expect(restored).toContain("logging/setLevel");
      await client.close();
      expect(await closed).toEqual({ reason: "client_closed" });
    },
  );

  test("that is not started again ends its subscriptions with its exit", async () => {
    const { client } = start("modern-listening");
    const onLost = vi.fn();
    const { closed } = await client.subscribe({ toolsListChanged: true }, { onLost });

    const error = await failureOf(client.callTool("die"));

    expect(await closed).toEqual({ reason: "failed", error });
    expect(onLost).not.toHaveBeenCalled();
  });

  test("is not started by a wrong wish to have it started again", () => {
    expect(() => start("modern", { restart: "yes" as unknown as boolean })).toThrow(/"restart"/);
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
