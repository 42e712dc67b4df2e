import type { PipeTransport } from "@mortise/core";
import { createHttpLink, type StreamLink } from "./http-link.js";
import { type Link, SILENT_LISTENER, toAnswer } from "./link.js";
import type { Platform } from "./platform/platform.js";
import type { HttpTarget, Settings } from "./settings.js";

/** Opens the way to the server that the settings name. Rejects when a server process or a pipe cannot be started. */
export async function openLink(settings: Settings, platform: Platform): Promise<Link> {
  const { target, onProblem } = settings;
  if (target.kind === "http") return openHttpLink(target, settings, platform);
  return openPipe(target.kind === "pipe" ? target.transport : await platform.createProcess(target.command), onProblem);
}

/** Opens the way to an HTTP server. */
export async function openHttpLink(
  { url, auth, fetch, headers }: HttpTarget,
  settings: Settings,
  { createHttpLayer, createFetchLayer, decode }: Platform,
): Promise<StreamLink> {
  // What is sent later on joins them.
  const secrets = [...headers.secrets];
  let layer = fetch === undefined ? createHttpLayer() : await createFetchLayer(fetch);
  if (auth !== undefined) {
    const { openAuthLayer } = await import("./open-auth-layer.js");
    const { onProblem } = settings;
    layer = openAuthLayer({ layer, authorizer: auth, server: url, onProblem }, secrets);
  }
  return createHttpLink({ ...settings, url, headers: headers.list, layer, decode, secrets });
}

/** Opens the way along a pipe, which clients of HTTP servers do not load. */
export async function openPipe(transport: PipeTransport, onProblem: Settings["onProblem"]): Promise<Link> {
  const { openPipeLink } = await import("./pipe-link.js");
  return openPipeLink(transport, { onProblem, parts: { SILENT_LISTENER, toAnswer } });
}
