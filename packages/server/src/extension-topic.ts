import type { ExtensionHandle } from "./extension.js";
import type { ServerCore } from "./server-core.js";

/** The topic on the bus for what an extension calls by this name. */
export function extensionTopic(id: string, name: string): string {
  return `extension/${id}/${name}`;
}

/** What the author of an extension publishes and hears news with. */
export function createExtensionHandle(core: ServerCore, id: string): ExtensionHandle {
  return {
    publish: (name, data) => core.publish(extensionTopic(id, name), data),
    subscribe: (name, listener) => core.changes.watch([extensionTopic(id, name)], (_, data) => listener(data)),
  };
}
