import { createError } from "@mortise/core";
import type { EdgeReply } from "./edge-reply.js";
import type { Exchange, HeaderList } from "./exchange.js";

/** Sends what the gate answers: an error as a JSON-RPC response, or a status alone. */
export function sendEdgeReply(exchange: Exchange, cors: HeaderList, reply: EdgeReply): void {
  const { status, error, id, headers = [] } = reply;
  if (error === undefined) {
    exchange.reply({ status, headers: [...headers, ...cors], text: "" });
    return;
  }
  const text = JSON.stringify(createError(id, error));
  exchange.reply({ status, headers: ["Content-Type", "application/json", ...headers, ...cors], text });
}
