import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Connection, Era, PeerClient } from "./peer-client.js";
import { type PeerServer, type RunningServer, startServer } from "./peer-server.js";

const MODERN_VERSION = "2026-07-28";
const LEGACY_VERSION = "2025-11-25";
const TOOLS = ["cancelled", "count", "fail", "greet", "slow"];

/** What the suite exercises, in words for the compatibility table. */
export const EXERCISED = "connect, list, call, structured output, progress, error result, unknown tool, cancellation";

/** The era that a client and a server agree on, or nothing where they have none in common. */
export function agreeEra(client: PeerClient, server: PeerServer): Era | undefined {
  return client.eras.find((era) => server.eras.includes(era));
}

/** Runs one client against one server in real processes: every behaviour both must share. */
export function describePair(client: PeerClient, server: PeerServer): void {
  const era = agreeEra(client, server);
  if (era === undefined) return;

  describe(`${client.name} with ${server.name} over ${server.transport}`, () => {
    let running: RunningServer;
    let connection: Connection;

    beforeAll(async () => {
      running = await startServer(server);
      connection = await client.connect(running.target);
    });
    afterAll(async () => {
      await connection?.close();
      await running?.stop();
    });

    test("agrees on the newest revision that both know", () => {
      expect(connection.era).toBe(era);
      expect(connection.protocolVersion).toBe(
        era === "modern" ? MODERN_VERSION : (server.legacyVersion ?? LEGACY_VERSION),
      );
      expect(connection.serverName).toBe("fixture");
    });

    test("lists every tool", async () => {
      const names = await connection.listTools();

      expect([...names].sort()).toEqual(TOOLS);
    });

    test("calls a tool and gets text and structured content", async () => {
      const result = await connection.call("greet", { name: "Ada" });

      expect(result).toEqual({
        isError: false,
        texts: ['{"message":"Hello, Ada!"}'],
        structured: { message: "Hello, Ada!" },
      });
    });

    test("sees progress in order before the result", async () => {
      const seen: number[] = [];

      const result = await connection.call("count", { to: 3 }, { onProgress: (progress) => seen.push(progress) });

      const due = client.losesProgress && seen.length > 0 ? seen.length : 3;
      expect(seen).toEqual([1, 2, 3].slice(0, due));
      expect(result.texts).toEqual(["counted"]);
    });

    test("gets a failing tool's message as an error result", async () => {
      const outcome = await connection.call("fail", { reason: "no luck" }).then(
        (result) => ({ kind: "result", isError: result.isError, text: result.texts.join() }),
        (error: Error) => ({ kind: "error", isError: true, text: error.message }),
      );

      expect(outcome).toEqual({ kind: server.thrown, isError: true, text: expect.stringContaining("no luck") });
    });

    test("is told about an unknown tool", async () => {
      const outcome = await connection.call("nowhere", {}).then(
        (result) => (result.isError ? "result" : "success"),
        (error: { code?: unknown }) => error.code ?? error,
      );

      expect(outcome).toBe(server.unknownTool);
    });

    if (client.pings.includes(era)) {
      test("is answered when it pings", async () => {
        await expect(connection.ping()).resolves.toBeUndefined();
      });
    }

    test("ends a cancelled call at once", async () => {
      const before = Number((await connection.call("cancelled", {})).texts[0]);
      const controller = new AbortController();
      const call = connection.call("slow", {}, { signal: controller.signal });
      setTimeout(() => controller.abort(), 200);

      await expect(call).rejects.toThrow();

      if (!server.cancels.includes(era)) return;
      await vi.waitFor(async () => {
        const after = Number((await connection.call("cancelled", {})).texts[0]);
        expect(after).toBe(before + 1);
      });
    });
  });
}
