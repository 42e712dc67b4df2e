import { createHttpLink } from "./http-link.js";
import type { Link } from "./link.js";
import { openPipeLink } from "./pipe-link.js";
import { createFetchLayer } from "./platform/fetch-layer.js";
import type { Platform } from "./platform/platform.js";
import type { Settings } from "./settings.js";

/** Opens the way to the server that the settings name. Rejects when a server process or a pipe cannot be started. */
export async function openLink(settings: Settings, platform: Platform): Promise<Link> {
  const { target, maxMessageBytes, timeout, onProblem } = settings;
  switch (target.kind) {
    case "http":
      return createHttpLink({
        url: target.url,
        layer: target.fetch === undefined ? platform.createHttpLayer() : createFetchLayer(target.fetch),
        headers: target.headers.list,
        secrets: target.headers.secrets,
        maxMessageBytes,
        timeout,
        decode: platform.decode,
        onProblem,
      });
    case "process":
      return openPipeLink(await platform.createProcess(target.command), { onProblem });
    case "pipe":
      return openPipeLink(target.transport, { onProblem });
  }
}
