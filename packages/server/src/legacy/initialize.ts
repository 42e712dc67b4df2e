import {
  type Implementation,
  type InitializeInput,
  type JsonObject,
  parseInitialize,
  REVISIONS,
  type Revision,
} from "@mortise/core";
import { declareFeatures } from "../features.js";
import { membersOf } from "../known-members.js";
import { defineMethod, type Method } from "../method.js";
import { findPreferred } from "../served-versions.js";

/** Agrees on a version. https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation */
export const initialize: Method = defineMethod<InitializeInput>({
  name: "initialize",
  parse: parseInitialize,
  run(call, { protocolVersion, capabilities, clientInfo }) {
    const revision = negotiate(call.versions, protocolVersion);
    const { carrier } = call;
    carrier.agree?.({ revision, clientInfo, capabilities });
    const { info, settings } = call.server;
    return {
      protocolVersion: revision.id,
      capabilities: declareFeatures(
        { server: call.server, revision },
        {
          lists: carrier.announces === true,
          resources: carrier.watched !== undefined,
        },
      ),
      serverInfo: projectImplementation(info, revision),
      ...(settings.instructions === undefined ? {} : { instructions: settings.instructions }),
    };
  },
});

/** The version asked for where it is served, else the preferred one. There is one, or the request had not been opened. */
function negotiate(versions: readonly string[], wanted: string): Revision {
  const asked = REVISIONS.get(wanted);
  if (asked?.era === "legacy" && versions.includes(wanted)) return asked;
  const preferred = findPreferred(versions, "legacy");
  if (preferred === undefined) throw new TypeError("Expected a server that speaks a legacy revision");
  return preferred;
}

function projectImplementation(info: Implementation, revision: Revision): JsonObject {
  const { implementation } = membersOf(revision);
  return Object.fromEntries(Object.entries(info).filter(([member]) => implementation.has(member)));
}
