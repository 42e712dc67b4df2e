import type { JsonObject } from "@mortise/core";
import type { Call } from "../call.js";
import { declareFeatures } from "../features.js";
import { defineMethod, type Method } from "../method.js";

/** Tells versions, capabilities and instructions. https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export const discover: Method = defineMethod({
  name: "server/discover",
  cache: "discover",
  parse: () => undefined,
  run: describe,
});

function describe(call: Call): JsonObject {
  const { settings } = call.server;
  const announces = call.carrier.announces === true;
  const extensions = call.server.extensions.settings;
  return {
    supportedVersions: call.versions,
    // Changes are told on streams that the caller opens, of lists and of single resources alike.
    capabilities: {
      ...declareFeatures(call, { lists: announces, resources: announces }),
      ...(extensions === undefined ? {} : { extensions }),
    },
    ...(settings.instructions === undefined ? {} : { instructions: settings.instructions }),
  };
}
