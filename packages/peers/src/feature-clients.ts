import type { FeatureClient } from "./feature-client.js";
import { isPossible } from "./feature-suite.js";
import { FEATURE_WAYS } from "./feature-ways.js";
import type { FeaturePair } from "./features.js";
import { createOfficialFeatureClient } from "./official-feature-client.js";
import { sdkFeatureClient } from "./sdk-feature-client.js";

const CLIENTS: readonly FeatureClient[] = [
  createOfficialFeatureClient("legacy"),
  createOfficialFeatureClient("auto"),
  createOfficialFeatureClient({ pin: "2026-07-28" }),
  sdkFeatureClient,
];

/** Every official client on every way it has. */
export const FEATURE_PAIRS: readonly FeaturePair[] = CLIENTS.flatMap((client) =>
  FEATURE_WAYS.map((way) => ({ client, way })),
).filter(isPossible);
