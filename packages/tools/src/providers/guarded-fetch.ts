import { ToolFailure } from "../tool-failure.js";

/** Pictures are the largest answers: base64 of a few megabytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Makes a `fetch` that takes no key to another place, and no answer without end. */
export function createGuardedFetch(maxBytes: number = MAX_ANSWER_BYTES): typeof globalThis.fetch {
  return async (input, init) => {
    // The key stands in a header of the provider's own, which would go along to wherever a redirect points.
    const response = await fetch(input, { ...init, redirect: "manual" });
    // A `Response` cannot be made of it.
    if (response.status > 599)
      throw new ToolFailure(`Expected an answer with a status of HTTP, received ${response.status}`);
    if (response.body === null) return response;
    let left = maxBytes;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0)
          controller.error(new ToolFailure(`Expected an answer of at most ${maxBytes} bytes, received more`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}
