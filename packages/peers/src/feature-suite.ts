import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FeatureConnection } from "./feature-client.js";
import { type RunningFeatureServer, startFeatureServer } from "./feature-ways.js";
import { type FeaturePair, SERVER_FEATURES } from "./features.js";

/** Whether there is such a pair at all. */
export function isPossible({ client, way }: FeaturePair): boolean {
  return way.ssePath === undefined || client.speaksSse;
}

/** Tries every feature of a server with one client, in real processes. What cannot be is tried, too, and must be refused. */
export function describeFeatures(pair: FeaturePair): void {
  const { client, way } = pair;
  describe(`${client.name} over ${way.name}`, () => {
    const heard: string[] = [];
    let declines = false;
    let running: RunningFeatureServer;
    let connection: FeatureConnection;

    const open = (): Promise<FeatureConnection> =>
      client.connect(running.target, {
        hear: (method, about) => void heard.push(`${method} ${about}`),
        elicit(mode) {
          if (declines) return { action: "decline" };
          return { action: "accept", ...(mode === "url" ? {} : { content: { name: "Ada" } }) };
        },
      });
    beforeAll(async () => {
      running = await startFeatureServer(way);
      connection = await open();
    });
    beforeEach(() => {
      heard.length = 0;
      declines = false;
    });
    afterAll(async () => {
      await connection?.close();
      await running?.stop();
    });

    test("agrees on the newest era that both know, and gets a session id where there are any", () => {
      expect(connection.era).toBe(client.era);
      expect(connection.sessionId !== undefined).toBe(way.identifies && client.era === "legacy");
    });
    for (const { name, lacks, run, refused = run } of SERVER_FEATURES) {
      const lack = lacks?.(pair);
      test(lack === undefined ? name : `${name}: ${lack}`, () => {
        const decline = (): void => {
          declines = true;
        };
        const { target } = running;
        const { notFound } = client;
        return (lack === undefined ? run : refused)({ connection, heard, decline, open, target, notFound });
      });
    }
  });
}
