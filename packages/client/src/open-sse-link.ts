import { toError } from "@mortise/core";
import type { StreamLink } from "./http-link.js";
import type { Link } from "./link.js";
import type { openPipe } from "./open-link.js";
import type { Settings } from "./settings.js";
import { createSseTransport } from "./sse-transport.js";

/** What a link with the transport of 2024-11-05 is made of. */
export interface SseLinkOptions {
  /** The way to the address of the stream; closed when no stream opens there. */
  readonly link: StreamLink;
  readonly settings: Settings;
  /** How long the server may take to open a stream that names an endpoint, in milliseconds; `undefined` means for ever. */
  readonly timeout: number | undefined;
  readonly openPipe: typeof openPipe;
}

/**
 * Opens the way to a server with the transport of 2024-11-05. Rejects when the server does not open a stream that names an endpoint
 * within the time. Loaded with the first such server.
 */
export async function openSseLink({ link, settings, timeout, openPipe: open }: SseLinkOptions): Promise<Link> {
  const { maxMessageBytes, onProblem } = settings;
  try {
    const streams = await link.loadStreams();
    const transport = createSseTransport({ link, streams, maxMessageBytes, timeout, parseJson: link.parseJson });
    return await open(transport, onProblem);
  } catch (error) {
    await link.close(toError(error));
    throw error;
  }
}
