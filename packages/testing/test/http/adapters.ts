import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler, type HandlerOptions } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import { exchangeBytes, formatRequest, type RawAnswer } from "./raw-client.js";

/** One request of the contract. */
export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A handler under test. */
export interface Mounted {
  send(request: Sent): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** One of the two mappings of the same implementation. */
export interface Adapter {
  readonly name: string;
  mount(server: MCPServer, options?: HandlerOptions): Promise<Mounted>;
}

/** The web handler, called directly. */
const WEB: Adapter = {
  name: "the web handler",
  async mount(server, options) {
    const handler = createHttpHandler(server, options);
    return {
      async send({ method = "POST", path = "/mcp", headers = {}, body }) {
        const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
        const request = new Request(`http://127.0.0.1:3000${path}`, {
          method,
          headers,
          ...(hasBody ? { body } : {}),
        });
        const response = await handler(request);
        return { status: response.status, headers: new Map(response.headers), body: await response.text() };
      },
      close: async () => undefined,
    };
  },
};

/** The Node handler behind a real socket, spoken to in bytes. */
const NODE: Adapter = {
  name: "the Node handler",
  async mount(server, options) {
    const handler = createNodeHttpHandler(server, options);
    const listener = createServer((request, response) => handler(request, response));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    return {
      send({ method = "POST", path = "/mcp", headers = {}, body }) {
        const all = Object.entries({ host: `127.0.0.1:${port}`, connection: "close", ...headers });
        return exchangeBytes(port, formatRequest(`${method} ${path} HTTP/1.1`, all, body));
      },
      close: () => new Promise((resolve) => void listener.close(() => resolve())),
    };
  },
};

/** Both mappings. */
export const ADAPTERS: readonly Adapter[] = [WEB, NODE];
