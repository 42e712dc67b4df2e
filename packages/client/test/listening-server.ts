import type { ServerResponse } from "node:http";
import type { Message, Reply } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { event, openStream } from "./stream-reply.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
export const LISTEN = "subscriptions/listen";

/** A notification that belongs to a subscription. */
export function tagged(id: unknown, method: string, params: object = {}): object {
  return { jsonrpc: "2.0", method, params: { ...params, _meta: { [SUBSCRIPTION]: id } } };
}

export function acknowledge(id: unknown, notifications: unknown): object {
  return tagged(id, "notifications/subscriptions/acknowledged", { notifications });
}

/** The result that ends a subscription on purpose. */
export function farewell(id: unknown): object {
  return { jsonrpc: "2.0", id, result: { resultType: "complete", _meta: { [SUBSCRIPTION]: id } } };
}

export const toolsChanged = (id: unknown): object => tagged(id, "notifications/tools/list_changed");
export const updated = (id: unknown, uri: string): object => tagged(id, "notifications/resources/updated", { uri });

/** What a message asks to listen to. */
export function askedFor(message: Message): unknown {
  return message.params?.notifications;
}

/** One stream of changes as the server has it. */
export interface OpenStream {
  readonly id: number | undefined;
  readonly response: ServerResponse;
  send(...messages: object[]): void;
  /** Whether the client hung up. */
  isClosed(): boolean;
}

/** Answers like a modern server that acknowledges everything; what is listened to is added to the list. */
export function serveListening(
  streams: OpenStream[],
  overrides: Record<string, (reply: Reply) => void> = {},
): (reply: Reply) => void {
  return serveModern({
    [LISTEN]: (reply) => {
      const stream = openListening(reply);
      stream.send(acknowledge(stream.id, askedFor(reply.request.message)));
      streams.push(stream);
    },
    ...overrides,
  });
}

/** Begins the stream that answers a request. */
export function openListening({ request, response }: Reply): OpenStream {
  let closed = false;
  response.on("close", () => {
    closed = true;
  });
  openStream(response);
  return {
    id: request.message.id,
    response,
    send: (...messages) => void response.write(messages.map(event).join("")),
    isClosed: () => closed,
  };
}
