import { refusalError } from "./answer.js";
import { toError } from "./failures.js";
import { createHttpLink, type StreamLink } from "./http-link.js";
import { parseJson } from "./json-text.js";
import type { Link } from "./link.js";
import { openPipeLink } from "./pipe-link.js";
import { createFetchLayer } from "./platform/fetch-layer.js";
import type { Platform } from "./platform/platform.js";
import type { HttpTarget, Settings } from "./settings.js";

/** Opens the way to the server that the settings name. Rejects when a server process or a pipe cannot be started. */
export async function openLink(settings: Settings, platform: Platform): Promise<Link> {
  const { target, onProblem } = settings;
  switch (target.kind) {
    case "http":
      return createLink(target, settings, platform);
    case "process":
      return openPipeLink(await platform.createProcess(target.command), { onProblem });
    case "pipe":
      return openPipeLink(target.transport, { onProblem });
  }
}

/**
 * Opens the way to a server with the transport of 2024-11-05. `link` is what can be closed from the beginning, `ready` the
 * link to use; it rejects when the server does not open a stream that names an endpoint within the time.
 */
export function openSseLink(
  target: HttpTarget,
  settings: Settings,
  { platform, timeout }: { readonly platform: Platform; readonly timeout: number | undefined },
): { readonly link: Pick<Link, "close">; readonly ready: Promise<Link> } {
  const link = createLink(target, settings, platform);
  return { link, ready: startSse(link, settings, timeout) };
}

async function startSse(link: StreamLink, settings: Settings, timeout: number | undefined): Promise<Link> {
  const { maxMessageBytes, onProblem } = settings;
  try {
    const { createSseTransport } = await import("./sse-transport.js");
    const transport = createSseTransport({ link, maxMessageBytes, timeout, parseJson, toError: refusalError });
    return await openPipeLink(transport, { onProblem });
  } catch (error) {
    await link.close(toError(error));
    throw error;
  }
}

function createLink(target: HttpTarget, settings: Settings, platform: Platform): StreamLink {
  const { maxMessageBytes, timeout, onProblem } = settings;
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
}
