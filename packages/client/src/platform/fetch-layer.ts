import { toError } from "@mortise/core";
import type { HttpLayer, HttpReceiver, HttpRequest } from "./platform.js";

/** Bodies up to this size are read at once. */
const SMALL_BYTES = 65_536;

/** HTTP over a `fetch` function: the runtime's own outside Node, or one that the user gave. */
export function createFetchLayer(fetch: typeof globalThis.fetch): HttpLayer {
  return {
    send(request, receiver) {
      const controller = new AbortController();
      let over = false;
      void exchange(fetch, request, controller.signal, {
        onHead: (head) => void (over || receiver.onHead(head)),
        onData: (chunk) => void (over || receiver.onData(chunk)),
        onEnd: () => void (over || receiver.onEnd()),
        onFailure: (error) => void (over || receiver.onFailure(error)),
      });
      return {
        drop() {
          if (over) return;
          over = true;
          controller.abort();
        },
      };
    },
    close() {
      // Connections belong to the runtime.
    },
  };
}

async function exchange(
  fetch: typeof globalThis.fetch,
  request: HttpRequest,
  signal: AbortSignal,
  receiver: HttpReceiver,
): Promise<void> {
  try {
    const response = await fetch(request.url.href, {
      method: request.method,
      headers: toRecord(request.headers),
      body: request.body ?? null,
      signal,
      redirect: "manual",
    });
    receiver.onHead({
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      finalUrl: response.redirected ? response.url : undefined,
    });
    if (isSmall(response.headers)) receiver.onData(new Uint8Array(await response.arrayBuffer()));
    else await readStream(response, receiver);
  } catch (error) {
    receiver.onFailure(toError(error));
    return;
  }
  receiver.onEnd();
}

/** Whether the whole body is known to be small. Reading it at once costs a good part less than reading a stream. */
function isSmall(headers: Headers): boolean {
  const length = headers.get("content-length");
  // An encoded body may be any size once decoded.
  return length !== null && Number(length) <= SMALL_BYTES && headers.get("content-encoding") === null;
}

async function readStream(response: Response, receiver: HttpReceiver): Promise<void> {
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) return;
    receiver.onData(chunk.value);
  }
}

/** An object with lower-case names, since a `fetch` of the caller's own may spread what it gets, and replace members of it. */
function toRecord(headers: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    pairs.push([(headers[at] ?? "").toLowerCase(), headers[at + 1] ?? ""]);
  }
  return Object.fromEntries(pairs);
}
