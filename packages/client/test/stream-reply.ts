import type { ServerResponse } from "node:http";

/** Begins an event stream, so that the client sees it at once. */
export function openStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  return response;
}

/** A message as an event. */
export function event(message: object): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

/** How often a method stands in a list. */
export function count(methods: readonly string[], method: string): number {
  return methods.filter((one) => one === method).length;
}
