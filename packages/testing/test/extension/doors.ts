import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpHandler } from "@mortise/http";
import { createNodeHttpHandler } from "@mortise/node";
import type { JsonObject, MCPServer } from "@mortise/server";

/** What follows one request. */
export interface Talk {
  /** The HTTP status, where there is one. */
  readonly status: number | undefined;
  /** The next message, in the order they came; rejects where none will come. */
  next(): Promise<JsonObject>;
  /** Leaves. */
  leave(): void;
}

/** A server that can be talked to. */
export interface Door {
  /** Sends one modern request, with the headers that belong to it where there are headers. */
  ask(method: string, params?: JsonObject, options?: AskOptions): Promise<Talk>;
  close(): Promise<void>;
}

export interface AskOptions {
  /** What the client declares of extensions. */
  readonly extensions?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly progressToken?: string;
  /** The value of `Mcp-Name`. */
  readonly mirrored?: string | undefined;
}

/** The ways into a server, by name. */
export const DOORS: readonly (readonly [string, (server: MCPServer) => Promise<Door>])[] = [
  ["a fetch handler", openFetchHandler],
  ["a socket of Node", openSocket],
  ["a pipe", openPipe],
];

async function openFetchHandler(server: MCPServer): Promise<Door> {
  const handler = createHttpHandler(server);
  return createHttpDoor(
    (request) => handler(request),
    "http://127.0.0.1:3000/mcp",
    async () => undefined,
  );
}

async function openSocket(server: MCPServer): Promise<Door> {
  const listener = createServer(createNodeHttpHandler(server));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  return createHttpDoor(fetch, `http://127.0.0.1:${port}/mcp`, async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  });
}

function createHttpDoor(send: (request: Request) => Promise<Response>, url: string, close: () => Promise<void>): Door {
  return {
    close,
    async ask(method, params = {}, options = {}) {
      const controller = new AbortController();
      const headers: Record<string, string> = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
      };
      if (options.mirrored !== undefined) headers["mcp-name"] = options.mirrored;
      const body = JSON.stringify(createMessage(method, params, options));
      const response = await send(new Request(url, { method: "POST", headers, body, signal: controller.signal }));
      const messages = readMessages(response);
      return {
        status: response.status,
        async next() {
          const { value } = await messages.next();
          if (value === undefined) throw new Error("Expected a message");
          return value;
        },
        leave: () => controller.abort(),
      };
    },
  };
}

async function* readMessages(response: Response): AsyncGenerator<JsonObject, undefined> {
  if (response.headers.get("content-type") === "application/json") {
    yield (await response.json()) as JsonObject;
    return undefined;
  }
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (text + chunk).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events)
      if (event.startsWith("data: ")) yield JSON.parse(event.slice("data: ".length)) as JsonObject;
  }
  return undefined;
}

async function openPipe(server: MCPServer): Promise<Door> {
  return {
    close: async () => undefined,
    async ask(method, params = {}, options = {}) {
      const received: JsonObject[] = [];
      const waiting: ((message: JsonObject) => void)[] = [];
      const connection = server.connectPipe({
        transport: "memory",
        write(text) {
          const message = JSON.parse(text) as JsonObject;
          const waiter = waiting.shift();
          if (waiter === undefined) received.push(message);
          else waiter(message);
        },
      });
      connection.receive(createMessage(method, params, options));
      return {
        status: undefined,
        next: () => {
          const message = received.shift();
          return message === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(message);
        },
        leave: () => connection.close(),
      };
    },
  };
}

function createMessage(method: string, params: JsonObject, options: AskOptions): JsonObject {
  const { extensions, capabilities, progressToken } = options;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { ...capabilities, ...(extensions ? { extensions } : {}) },
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  return { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } };
}
