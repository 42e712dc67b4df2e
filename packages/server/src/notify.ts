import { resourceTopic } from "./change-notice.js";
import { expectOption } from "./check-options.js";
import type { ServerCore } from "./server-core.js";

/** Tells clients that something changed: those that listen for it, through whatever transport, in any process on the same bus. */
export interface Notify {
  /** The list of tools changed, such as for callers that may see others now. */
  toolsChanged(): void;
  /** The list of prompts changed. */
  promptsChanged(): void;
  /** The list of resources or of templates changed. */
  resourcesChanged(): void;
  /** What one resource holds changed. Throws `invalid_options` for an address that is no string. */
  resourceUpdated(uri: string): void;
}

/** Makes the notices of a server. Its members can be taken apart. */
export function createNotify(server: ServerCore): Notify {
  return {
    toolsChanged: () => server.announce("tools"),
    promptsChanged: () => server.announce("prompts"),
    resourcesChanged: () => server.announce("resources"),
    resourceUpdated(uri) {
      expectOption(typeof uri === "string", "the address of a resource", "a string", uri);
      if (!server.closed) server.publish(resourceTopic(uri), null);
    },
  };
}
