import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MCPClient, type ProcessOptions } from "@mortise/client";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

const SOURCE = fileURLToPath(new URL("../programs/watched-server.ts", import.meta.url));
const FILTER = { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["docs://a"] };

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "watched-program-"));
  await build({
    entryPoints: [SOURCE],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@mortise/source"],
    logLevel: "warning",
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

function start(options: Partial<ProcessOptions>): MCPClient {
  const client = new MCPClient({
    command: process.execPath,
    args: [join(folder, "watched-server.mjs")],
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

describe.each(["modern", "legacy"] as const)("a %s server process with subscriptions", (era) => {
  test("tells of changes, and tells again after it died and was started anew", async () => {
    const client = start({ era, restart: true });
    const heard: unknown[] = [];
    const [onLost, onRestored] = [vi.fn(), vi.fn()];
    const { honored } = await client.subscribe(FILTER, {
      onChange: ({ method, params }) => heard.push(params?.uri ?? method),
      onLost,
      onRestored,
    });
    const touch = async (): Promise<void> => {
      heard.length = 0;
      await client.callTool("touch");
      await vi.waitFor(() => expect(heard).toHaveLength(2));
      expect(heard).toEqual(expect.arrayContaining(["notifications/tools/list_changed", "docs://a"]));
    };

    await touch();
    await client.callTool("die").catch(() => undefined);
    // The call after that finds a new process, and the subscription finds it, too.
    await client.callTool("touch");
    await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1), { timeout: 10_000 });
    await touch();

    expect(honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ["docs://a"] });
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  test("that dies for good ends them, and all calls until connect()", async () => {
    const client = start({ era });
    const { closed } = await client.subscribe(FILTER);

    await client.callTool("die").catch(() => undefined);
    const { reason, error } = await closed;
    const later = await client.callTool("touch").catch((thrown: unknown) => thrown);
    await client.connect();

    expect(reason).toBe("failed");
    expect(later).toBe(error);
    expect((await client.callTool("touch")).text).toBe("touched");
  });
});

test("a modern server process that leaves on purpose ends its subscriptions so", async () => {
  const client = start({ era: "modern", restart: true });
  const onLost = vi.fn();
  const { closed } = await client.subscribe(FILTER, { onLost });

  await client.callTool("leave").catch(() => undefined);

  expect(await closed).toEqual({ reason: "server_ended" });
  expect(onLost).not.toHaveBeenCalled();
});
