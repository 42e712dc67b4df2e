import { createRequest } from "@mortise/core";
import type { SendGuarded } from "./guarded-request.js";

/**
 * Asks a server for the challenge that it has for those without a token: some tell only there where their metadata is. `undefined`
 * when it lets the request in, or there is no answer.
 */
export async function askChallenge(server: URL, send: SendGuarded, signal: AbortSignal): Promise<string | undefined> {
  const ask = send({
    url: server.href,
    named: "the configuration",
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(createRequest(1, "ping", undefined)),
    signal,
  });
  // What cannot be asked now is asked by the login itself.
  const answer = await ask.catch(() => undefined);
  signal.throwIfAborted();
  return answer?.status === 401 ? answer.header("www-authenticate") : undefined;
}
