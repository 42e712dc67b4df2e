import type { ServerResponse } from "node:http";
import type { Reply } from "./fake-http.js";
import { echo, initializeResult } from "./legacy-server.js";
import { ECHO_TOOL } from "./modern-server.js";

export interface SseScript {
  /** What the endpoint event says. @default a relative address */
  readonly endpoint?: string;
  /** What is done in place of opening a stream. */
  readonly get?: (reply: Reply) => void;
  /** What is done in place of answering a message, by its method. */
  readonly overrides?: Record<string, (reply: Reply, send: (message: object) => void) => void>;
  /** How a POST to the address of the stream is refused. @default 405 */
  readonly refuse?: (reply: Reply) => void;
}

export interface SseServer {
  serve(reply: Reply): void;
  /** Streams that are open, oldest first. */
  readonly streams: ServerResponse[];
  send(message: object): void;
}

/** Answers like a server of 2024 with one `echo` tool: messages are posted, and answered on the stream. */
export function createSseServer(script: SseScript = {}): SseServer {
  const streams: ServerResponse[] = [];
  const send = (message: object): void => {
    streams.at(-1)?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
  };
  const open = ({ response }: Reply): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: endpoint\ndata: ${script.endpoint ?? "/messages?sessionId=session-secret"}\n\n`);
    response.on("close", () => streams.splice(streams.indexOf(response), 1));
    streams.push(response);
  };
  const answer = (reply: Reply): void => {
    const { method = "response", id, params } = reply.request.message;
    const override = script.overrides?.[method];
    if (override !== undefined) {
      override(reply, send);
      return;
    }
    reply.status(202, "Accepted");
    if (method === "initialize") send({ id, result: initializeResult("2024-11-05") });
    else if (method === "tools/list") send({ id, result: { tools: [ECHO_TOOL] } });
    else if (method === "tools/call") send({ id, result: echo(params) });
    else if (id !== undefined && method !== "response") send({ id, error: { code: -32601, message: "no" } });
  };
  return {
    streams,
    send,
    serve(reply) {
      const { method, path } = reply.request;
      if (method === "GET") (script.get ?? open)(reply);
      else if (path.startsWith("/messages")) answer(reply);
      else (script.refuse ?? refuse)(reply);
    },
  };
}

function refuse(reply: Reply): void {
  reply.status(405, "Method Not Allowed");
}
