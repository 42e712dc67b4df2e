import { isObject, type JsonObject, readImplementation } from "@mortise/core";
import type { ConnectResult } from "./era.js";

/** What a server said of itself: in `said`, and its name in `info`. */
export function describeServer(
  { id: protocolVersion, era }: { readonly id: string; readonly era: ConnectResult["era"] },
  said: JsonObject,
  info: unknown,
): ConnectResult {
  const { capabilities, instructions } = said;
  return {
    protocolVersion,
    serverInfo: readImplementation(info),
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
    era,
  };
}
