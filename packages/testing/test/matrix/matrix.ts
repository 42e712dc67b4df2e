import { afterEach, describe, expect, test } from "vitest";
import { Client } from "./client.js";
import { EVERYTHING, type Feature } from "./feature.js";
import { ASKING, FEATURES } from "./features/index.js";
import { isModern, type Scene } from "./scene.js";
import { createStage } from "./server/index.js";
import type { Way } from "./ways.js";

const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));

/** Tries every feature on these ways, with every revision that goes there. */
export function describeWays(ways: readonly Way[]): void {
  afterEach(() => expect(strays).toEqual([]));
  for (const way of ways) for (const scene of listScenes(way)) describeScene(way, scene);
}

/** Handlers run again for modern clients in any case. */
function listScenes({ revisions, carries, again = true }: Way): readonly Scene[] {
  return revisions.flatMap((revision): Scene[] => {
    const scene: Scene = { revision, carries, replay: "modern" };
    return again && carries.asks && !isModern(scene) ? [scene, { ...scene, replay: "always" }] : [scene];
  });
}

function describeScene(way: Way, scene: Scene): void {
  const again = scene.replay === "always";
  describe(`${scene.revision} on ${way.name}${again ? ", handlers always running again" : ""}`, () => {
    for (const feature of again ? ASKING : FEATURES) test(feature.name, () => tryFeature(feature, way, scene));
  });
}

async function tryFeature(feature: Feature, way: Way, scene: Scene): Promise<void> {
  const stage = createStage(scene.replay);
  const client = new Client(scene, feature.declares ?? EVERYTHING);
  const { revision } = scene;
  const line = await way.open({ server: stage.server, revision, hearing: client, handler: way.options ?? {} });
  try {
    const opened = await client.open(line);
    const seen = await feature.run({ client, scene, stage, opened });
    expect(seen).toEqual(feature.seen(scene));
  } finally {
    await line.close();
    await stage.server.close();
  }
}
