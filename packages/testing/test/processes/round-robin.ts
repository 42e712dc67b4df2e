import { createServer, request as httpRequest } from "node:http";
import { listenLocally } from "./shared-store.js";

/** A proxy that knows nothing of what it carries. */
export interface RoundRobin {
  readonly url: string;
  /** Which process each request went to, by its place in the list of ports. */
  readonly taken: readonly number[];
  /** How many requests are on their way or being answered. */
  readonly open: number;
  close(): Promise<void>;
}

/** Starts a proxy that hands each request to the next of the ports. */
export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const taken: number[] = [];
  let open = 0;
  const listener = createServer((request, response) => {
    const place = taken.length % ports.length;
    taken.push(place);
    open += 1;
    const { method, url, headers } = request;
    const onward = httpRequest({ port: ports[place], host: "127.0.0.1", method, path: url, headers, agent: false });
    onward.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.once("error", () => response.destroy());
    });
    onward.once("error", () => response.destroy());
    response.once("close", () => {
      open -= 1;
      onward.destroy();
    });
    request.pipe(onward);
  });
  const port = await listenLocally(listener);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    taken,
    get open() {
      return open;
    },
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
}
