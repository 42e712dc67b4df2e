import type { HttpLayer, HttpReceiver, HttpRequest } from "./platform.js";

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
      headers: toPairs(request.headers),
      body: request.body ?? null,
      signal,
      redirect: "manual",
    });
    receiver.onHead({
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      finalUrl: response.redirected ? response.url : undefined,
    });
    const reader = response.body?.getReader();
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      receiver.onData(chunk.value);
    }
  } catch (error) {
    receiver.onFailure(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  receiver.onEnd();
}

function toPairs(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) pairs.push([headers[at] ?? "", headers[at + 1] ?? ""]);
  return pairs;
}
