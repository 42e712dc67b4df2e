import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes and time a peer is given to notice the answer while it still sends. */
const MAX_BYTES = 4_194_304;
const MAX_TIME = 1_000;

/**
 * Ends an answer whose request is still arriving. The answer is sent whole at once, but the connection stays open for a
 * moment and takes what comes: a connection closed with unread bytes is reset, which can take the answer with it.
 */
export function finishUnread(request: IncomingMessage, response: ServerResponse, text: string): void {
  if (request.complete) {
    response.end(text);
    return;
  }
  let bytes = 0;
  const finish = (): void => {
    clearTimeout(timer);
    request.off("data", count);
    request.off("end", finish);
    request.off("close", finish);
    response.end();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) finish();
  };
  const timer = setTimeout(finish, MAX_TIME);
  timer.unref();
  request.on("data", count);
  request.on("end", finish);
  request.on("close", finish);
  response.write(text);
}
