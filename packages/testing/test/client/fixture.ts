import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ClientOptions, type CommonOptions, connectInMemory, MCPClient } from "@mortise/client";
import { createNodeHttpHandler } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { onTestFinished } from "vitest";

export const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type RevisionId = (typeof REVISIONS)[number];

/** A way from a client to a server. */
export interface Way {
  readonly name: string;
  open(server: MCPServer, options: CommonOptions): Promise<MCPClient>;
}

const MEMORY: Way = {
  name: "in memory",
  open: async (server, options) => keep({ ...options, transport: connectInMemory(server) }),
};

const HTTP: Way = {
  name: "over HTTP",
  async open(server, options) {
    const listener = createServer(createNodeHttpHandler(server, { legacy: { sessions: "memory" } }));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      listener.closeAllConnections();
      listener.close();
    });
    const { port } = listener.address() as AddressInfo;
    return keep({ ...options, url: `http://127.0.0.1:${port}/mcp` });
  },
};

export const WAYS: readonly Way[] = [MEMORY, HTTP];

/** A server that has some of everything. */
export function createEverything(): MCPServer {
  const server = new MCPServer({ name: "everything", version: "1.0.0", pageSize: 2, onWarning: () => undefined });
  const name = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
  server.tool("sum", { input: { type: "object" }, output: { type: "object", required: ["sum"] } }, () => ({ sum: 3 }));
  server.tool("log", {}, async (_, { log }) => {
    await log("info", "too quiet");
    await log("error", "loud");
    return "logged";
  });
  server.tool("form", {}, async (_, { elicit }) => {
    const schema = { ...name, properties: { ...name.properties, city: { type: "string", default: "Rome" } } } as const;
    return JSON.stringify(await elicit({ message: "Who?", schema }));
  });
  server.tool("sample", {}, async (_, { sample }) => {
    const answer = await sample({ messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 9 });
    return JSON.stringify(answer.content);
  });
  server.tool("roots", {}, async (_, { listRoots }) => JSON.stringify((await listRoots()).roots));
  server.tool("all", {}, async (_, { ask }) => {
    const { a, b } = await ask({ a: { roots: {} }, b: { roots: { key: "b" } } });
    return String(a.roots.length + b.roots.length);
  });
  for (const letter of ["a", "b", "c"]) {
    server.resource(`docs://${letter}`, { name: letter }, () => `text of ${letter}`);
    const tone = { input: [{ name: "tone", required: true }], complete: { tone: () => ["warm", "formal"] } } as const;
    server.prompt(letter, tone, (args) => `Be ${args.tone}`);
  }
  server.resource("items://{id}", { name: "item" }, ({ params }) => `item ${params.id}`);
  return server;
}

function keep(options: ClientOptions): MCPClient {
  const client = new MCPClient(options);
  onTestFinished(() => client.close());
  return client;
}
