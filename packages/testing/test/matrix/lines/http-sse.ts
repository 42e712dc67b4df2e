import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeHttpHandler } from "@mortise/node";
import type { OpenLine } from "../line.js";
import { readMessages } from "./read-messages.js";

/** A stream of events for what the server says, and POST requests for what the client says. */
export const openHttpSseLine: OpenLine = async ({ server, hearing }) => {
  const handler = createNodeHttpHandler(server, { legacy: { sse: { path: "/sse", messagePath: "/messages" } } });
  const listener = createServer(handler);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo; // of a TCP server
  const controller = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/sse`, {
    headers: { accept: "text/event-stream" },
    signal: controller.signal,
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    const end = readMessages(response, {
      message: (message) => hearing.message(message),
      other: (_, data) => resolve(data),
    });
    end.catch((error: unknown) => {
      if (!controller.signal.aborted) reject(error);
    });
  });
  return {
    async send(message) {
      const sent = await fetch(new URL(endpoint, response.url), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      if (sent.status !== 202) throw new Error(`Expected status 202, received ${sent.status}`);
      await sent.text();
      return undefined; // what there is to answer comes elsewhere
    },
    async close() {
      controller.abort();
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
};
