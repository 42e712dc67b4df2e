import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientOptions, type CommonOptions, connectInMemory, MCPClient } from "@mortise/client";
import { createNodeHttpHandler, type NodeHandlerOptions } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { onTestFinished } from "vitest";

/** A server with tools and resources, and a way to break what carries its changes. */
export interface Watched {
  readonly server: MCPServer;
  readonly client: MCPClient;
  /** Cuts whatever carries changes, as a network would; `undefined` where nothing can be cut. */
  readonly cut: (() => void) | undefined;
  /** Whether the server is asked for the stream again behind the last event, so that nothing is missed. */
  readonly resumes: boolean;
}

export interface SubscriptionWay {
  readonly name: string;
  open(options?: CommonOptions): Promise<Watched>;
}

export function createWatchedServer(): MCPServer {
  const server = new MCPServer({ name: "watched", version: "1.0.0", onWarning: () => undefined });
  server.tool("echo", {}, () => "hi");
  for (const letter of ["a", "b"]) server.resource(`docs://${letter}`, { name: letter }, () => letter);
  return server;
}

/** Serves over HTTP until the test ends. */
export async function serveHttp(server: MCPServer, options: NodeHandlerOptions = {}): Promise<HttpServed> {
  const methods: string[] = [];
  const handler = createNodeHttpHandler(server, options);
  const listener = createServer((request, response) => {
    methods.push(request.method ?? "");
    handler(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await server.close();
    listener.closeAllConnections();
    listener.close();
  });
  return { listener, methods, origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}

export interface HttpServed {
  readonly listener: Server;
  /** HTTP methods of the requests, in order. */
  readonly methods: readonly string[];
  readonly origin: string;
}

function overHttp(name: string, legacy: NodeHandlerOptions["legacy"], client: object, path = "/mcp"): SubscriptionWay {
  return {
    name,
    async open(options = {}) {
      const server = createWatchedServer();
      const { listener, origin } = await serveHttp(server, { legacy });
      return {
        server,
        client: keep({ ...options, ...client, url: `${origin}${path}` }),
        cut: () => listener.closeAllConnections(),
        resumes: name.includes("resumable"),
      };
    },
  };
}

function inMemory(name: string, client: object): SubscriptionWay {
  return {
    name,
    open(options = {}) {
      const server = createWatchedServer();
      const transport = connectInMemory(server);
      return Promise.resolve({
        server,
        client: keep({ ...options, ...client, transport }),
        cut: () => void transport.close(),
        resumes: false,
      });
    },
  };
}

const SESSIONS = { sessions: "memory", getStream: true } as const;
export const SUBSCRIPTION_WAYS: readonly SubscriptionWay[] = [
  inMemory("modern, in memory", { era: "modern" }),
  inMemory("legacy, in memory", { era: "legacy" }),
  overHttp("modern, over HTTP", undefined, { era: "modern" }),
  overHttp("legacy, over HTTP", SESSIONS, { era: "legacy" }),
  overHttp("legacy, over resumable HTTP", { ...SESSIONS, resumable: true }, { era: "legacy" }),
  overHttp("legacy, over HTTP+SSE", { sse: { path: "/sse", messagePath: "/messages" } }, { transport: "sse" }, "/sse"),
];

export function keep(options: ClientOptions): MCPClient {
  const client = new MCPClient(options);
  onTestFinished(() => client.close());
  return client;
}
