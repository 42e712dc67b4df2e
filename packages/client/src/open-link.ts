import type { PipeTransport } from "@mortise/core";
import { createHttpLink, type StreamLink } from "./http-link.js";
import { type Link, SILENT_LISTENER, toAnswer } from "./link.js";
import type { HttpLayer, Platform } from "./platform/platform.js";
import type { HttpTarget, Settings } from "./settings.js";

/** Opens the way to the server that the settings name. Rejects when a server process or a pipe cannot be started. */
export async function openLink(settings: Settings, platform: Platform): Promise<Link> {
  const { target, onProblem } = settings;
  switch (target.kind) {
    case "http":
      return openHttpLink(target, settings, platform);
    case "process":
      return openPipe(await platform.createProcess(target.command), onProblem);
    case "pipe":
      return openPipe(target.transport, onProblem);
  }
}

/** Opens the way to an HTTP server. */
export async function openHttpLink(target: HttpTarget, settings: Settings, platform: Platform): Promise<StreamLink> {
  return createLink(target, settings, await createLayer(target, settings, platform));
}

/** Opens the way along a pipe, which clients of HTTP servers do not load. */
export async function openPipe(transport: PipeTransport, onProblem: Settings["onProblem"]): Promise<Link> {
  const { openPipeLink } = await import("./pipe-link.js");
  return openPipeLink(transport, { onProblem, parts: { SILENT_LISTENER, toAnswer } });
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
  const { openAuthLayer } = await import("./open-auth-layer.js");
  return {
    layer: openAuthLayer({ layer, authorizer: auth, server: url, onProblem: settings.onProblem }, secrets),
    secrets,
    decode,
  };
}

function createLink(target: HttpTarget, settings: Settings, layer: Layer): StreamLink {
  return createHttpLink({ ...settings, ...layer, url: target.url, headers: target.headers.list });
}
