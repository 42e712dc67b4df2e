import type { PipeTransport } from "@mortise/core";
import { toError } from "@mortise/core";
import { createHttpLink, type StreamLink } from "./http-link.js";
import { parseJson } from "./json-text.js";
import { type Link, SILENT_LISTENER, toAnswer } from "./link.js";
import type { HttpLayer, Platform } from "./platform/platform.js";
import type { HttpTarget, Settings } from "./settings.js";

/** How many credentials are kept out of error messages: the last ones, since a server hardly shows older ones. */
const MOST_CREDENTIALS = 32;

/** Opens the way to the server that the settings name. Rejects when a server process or a pipe cannot be started. */
export async function openLink(settings: Settings, platform: Platform): Promise<Link> {
  const { target, onProblem } = settings;
  switch (target.kind) {
    case "http":
      return createLink(target, settings, await createLayer(target, settings, platform));
    case "process":
      return openPipe(await platform.createProcess(target.command), onProblem);
    case "pipe":
      return openPipe(target.transport, onProblem);
  }
}

/**
 * Opens the way to a server with the transport of 2024-11-05. `link` is what can be closed from the beginning, `ready` the
 * link to use; it rejects when the server does not open a stream that names an endpoint within the time.
 */
export async function openSseLink(
  target: HttpTarget,
  settings: Settings,
  { platform, timeout }: { readonly platform: Platform; readonly timeout: number | undefined },
): Promise<{ readonly link: Pick<Link, "close">; readonly ready: Promise<Link> }> {
  const link = createLink(target, settings, await createLayer(target, settings, platform));
  return { link, ready: startSse(link, settings, timeout) };
}

/** Opens the way along a pipe, which clients of HTTP servers do not load. */
async function openPipe(transport: PipeTransport, onProblem: Settings["onProblem"]): Promise<Link> {
  const { openPipeLink } = await import("./pipe-link.js");
  return openPipeLink(transport, { onProblem, parts: { SILENT_LISTENER, toAnswer } });
}

async function startSse(link: StreamLink, settings: Settings, timeout: number | undefined): Promise<Link> {
  const { maxMessageBytes, onProblem } = settings;
  try {
    const { createSseTransport } = await import("./sse-transport.js");
    const streams = await link.loadStreams();
    const transport = createSseTransport({ link, streams, maxMessageBytes, timeout, parseJson });
    return await openPipe(transport, onProblem);
  } catch (error) {
    await link.close(toError(error));
    throw error;
  }
}

interface Layer {
  readonly layer: HttpLayer;
  readonly decode: Platform["decode"];
  /** Texts that must never be shown; grows with what is sent. */
  readonly secrets: string[];
}

async function createLayer(
  { url, auth, fetch, headers }: HttpTarget,
  settings: Settings,
  platform: Platform,
): Promise<Layer> {
  const { decode } = platform;
  const secrets = [...headers.secrets];
  const layer = fetch === undefined ? platform.createHttpLayer() : await platform.createFetchLayer(fetch);
  if (auth === undefined) return { layer, secrets, decode };
  const { createAuthLayer } = await import("./auth-layer.js");
  const shown: string[] = [];
  const hide = (secret: string): void => {
    if (secrets.includes(secret)) return;
    shown.push(secret);
    secrets.push(secret);
    const oldest = shown.length > MOST_CREDENTIALS ? shown.shift() : undefined;
    if (oldest !== undefined) secrets.splice(secrets.indexOf(oldest), 1);
  };
  return {
    layer: createAuthLayer({ layer, authorizer: auth, server: url, hide, onProblem: settings.onProblem, toError }),
    secrets,
    decode,
  };
}

function createLink(target: HttpTarget, settings: Settings, { layer, secrets, decode }: Layer): StreamLink {
  const { maxMessageBytes, timeout, onProblem } = settings;
  return createHttpLink({
    url: target.url,
    layer,
    headers: target.headers.list,
    secrets,
    maxMessageBytes,
    timeout,
    decode,
    onProblem,
  });
}
