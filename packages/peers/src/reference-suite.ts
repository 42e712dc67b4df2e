import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connection, PeerClient } from "./peer-client.js";
import type { RunningServer } from "./peer-server.js";
import { describeReference, EVERYTHING_WAYS, type EverythingWay, startEverything } from "./reference-servers.js";

/** Runs a client against the reference servers that others publish. */
export function describeReferenceServers(client: PeerClient): void {
  for (const way of EVERYTHING_WAYS) {
    describe(`${client.name} with server-everything over ${way}`, () => describeEverything(client, way));
  }
  describe(`${client.name} with server-filesystem over stdio`, () => describeFilesystem(client));
  describe(`${client.name} with server-memory over stdio`, () => describeMemory(client));
}

function describeEverything(client: PeerClient, way: EverythingWay): void {
  let running: RunningServer;
  let connection: Connection;

  beforeAll(async () => {
    running = await startEverything(way);
    connection = await client.connect(running.target);
  });
  afterAll(async () => {
    await connection?.close();
    await running?.stop();
  });

  test("falls back to the handshake", () => {
    expect(connection.era).toBe("legacy");
    expect(connection.serverName).toBe("mcp-servers/everything");
  });

  test("lists the tools", async () => {
    const names = await connection.listTools();

    expect(names).toEqual(expect.arrayContaining(["echo", "get-sum", "get-structured-content", "get-tiny-image"]));
  });

  test("calls tools with text and with structured content", async () => {
    const sum = await connection.call("get-sum", { a: 40, b: 2 });
    const weather = await connection.call("get-structured-content", { location: "Chicago" });

    expect(sum.texts.join()).toContain("42");
    expect(weather.structured).toMatchObject({ conditions: expect.any(String) });
  });

  test("sees progress of a long operation", async () => {
    const seen: number[] = [];

    const onProgress = (progress: number): void => void seen.push(progress);
    const result = await connection.call("trigger-long-running-operation", { duration: 0.3, steps: 3 }, { onProgress });

    expect(result.isError).toBe(false);
    expect(seen.slice(0, 2)).toEqual([1, 2]);
  });

  test("gives a long operation up", async () => {
    const signal = AbortSignal.timeout(100);

    await expect(
      connection.call("trigger-long-running-operation", { duration: 5, steps: 5 }, { signal }),
    ).rejects.toThrow();
    await expect(connection.call("echo", { message: "still here" })).resolves.toMatchObject({ isError: false });
  });

  test("gets wrong arguments as an error result", async () => {
    const result = await connection.call("get-sum", { a: "forty", b: 2 });

    expect(result.isError).toBe(true);
  });
}

function describeFilesystem(client: PeerClient): void {
  let folder: string;
  let connection: Connection;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "peers-")));
    await writeFile(join(folder, "note.txt"), "first line\nsecond line\n");
    connection = await client.connect(describeReference("server-filesystem", [folder]));
  });
  afterAll(async () => {
    await connection?.close();
    await rm(folder, { recursive: true });
  });

  test("lists a folder and reads a file", async () => {
    const listing = await connection.call("list_directory", { path: folder });
    const text = await connection.call("read_text_file", { path: join(folder, "note.txt") });

    expect(listing.texts.join()).toContain("note.txt");
    expect(text.texts).toEqual(["first line\nsecond line\n"]);
  });

  test("writes a file with characters of every width", async () => {
    const content = "a é € 😀\n";

    const result = await connection.call("write_file", { path: join(folder, "new.txt"), content });

    expect(result.isError).toBe(false);
    await expect(readFile(join(folder, "new.txt"), "utf8")).resolves.toBe(content);
  });

  test("gets a path outside the folder as an error result", async () => {
    const result = await connection.call("read_text_file", { path: "/etc/hostname" });

    expect(result.isError).toBe(true);
  });
}

function describeMemory(client: PeerClient): void {
  let folder: string;
  let connection: Connection;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "peers-"));
    connection = await client.connect(
      describeReference("server-memory", [], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
    );
  });
  afterAll(async () => {
    await connection?.close();
    await rm(folder, { recursive: true });
  });

  test("keeps what it was told", async () => {
    const entity = { name: "Ada", entityType: "person", observations: ["writes programs"] };

    await connection.call("create_entities", { entities: [entity] });
    const graph = await connection.call("read_graph", {});

    expect(graph.structured).toMatchObject({ entities: [entity], relations: [] });
  });
}
