import type { JsonObject } from "@mortise/core";
import type { Call } from "../call.js";
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
  return {
    supportedVersions: call.versions,
    capabilities: declare(call),
    ...(settings.instructions === undefined ? {} : { instructions: settings.instructions }),
  };
}

/** Only what can be delivered: list changes are announced on streams, and no method opens one yet. */
function declare(call: Call): JsonObject {
  return call.server.offers("tools") ? { logging: {}, tools: {} } : { logging: {} };
}
