import { toError } from "@mortise/core";
import type { HttpLayer, HttpReceiver, HttpRequest, HttpSending } from "./platform.js";

/** Bodies up to this size are read at once. */
const SMALL_BYTES = 65_536;

/** HTTP over a `fetch` function: the runtime's own outside Node, or one that the user gave. */
export function createFetchLayer(fetch: typeof globalThis.fetch): HttpLayer {
  return {
    send: (request, receiver) => new FetchSending(fetch, request, receiver),
    close() {
      // Connections belong to the runtime.
    },
  };
}

class FetchSending implements HttpSending {
  readonly #controller = new AbortController();
  /** Who hears of the answer, until it is not wanted any more. */
  #receiver: HttpReceiver | undefined;

  constructor(fetch: typeof globalThis.fetch, request: HttpRequest, receiver: HttpReceiver) {
    this.#receiver = receiver;
    void this.#exchange(fetch, request);
  }

  drop(): void {
    this.#receiver = undefined;
    this.#controller.abort();
  }

  async #exchange(fetch: typeof globalThis.fetch, { url, method, headers, body }: HttpRequest): Promise<void> {
    try {
      const response = await fetch(url.href, {
        method,
        headers: toRecord(headers),
        body: body ?? null,
        signal: this.#controller.signal,
        redirect: "manual",
      });
      this.#receiver?.onHead({
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        finalUrl: response.redirected ? response.url : undefined,
      });
      if (isSmall(response.headers)) {
        const bytes = await response.arrayBuffer();
        this.#receiver?.onData(new Uint8Array(bytes));
      } else await this.#readStream(response);
    } catch (error) {
      this.#receiver?.onFailure(toError(error));
      return;
    }
    this.#receiver?.onEnd();
  }

  async #readStream(response: Response): Promise<void> {
    const reader = response.body?.getReader();
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) return;
      this.#receiver?.onData(chunk.value);
    }
  }
}

/** Whether the whole body is known to be small. Reading it at once costs a good part less than reading a stream. */
function isSmall(headers: Headers): boolean {
  const length = headers.get("content-length");
  // An encoded body may be any size once decoded.
  return length !== null && Number(length) <= SMALL_BYTES && headers.get("content-encoding") === null;
}

/** An object with lower-case names, since a `fetch` of the caller's own may spread what it gets, and replace members of it. */
function toRecord(headers: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    pairs.push([(headers[at] ?? "").toLowerCase(), headers[at + 1] ?? ""]);
  }
  return Object.fromEntries(pairs);
}
