import {
  type ClientOptions,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type Transport as PipeTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { http } from "@mortise/node";
import { MCPServer, type ServerOptions } from "@mortise/server";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";

const CAPABILITIES = {
  elicitation: { form: { applyDefaults: true }, url: {} },
  sampling: { tools: {} },
  roots: {},
} as const;
const FORM = z.object({ name: z.string(), size: z.enum(["s", "l"]).default("l"), gift: z.boolean().default(true) });
const ROOTS = { roots: [{ uri: "file:///work", name: "Work" }] };
const servers: MCPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function createServer(options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ name: "questions", version: "1.0.0", onWarning: () => undefined, ...options });
  servers.push(server);
  let orders = 0;
  server.tool("order", {}, async (_, { elicit, sample, once }) => {
    const number = await once("order", () => ++orders);
    const form = await elicit({ message: "What?", schema: FORM });
    const page = await elicit({ message: "Pay", url: "https://pay.example/" });
    const tools = [{ name: "weather", inputSchema: { type: "object" } }];
    const messages = [{ role: "user", content: { type: "text", text: "Is it raining?" } }] as const;
    const { model } = await sample({ messages, maxTokens: 5, tools, toolChoice: { mode: "auto" } });
    return JSON.stringify({ number, form, page, model });
  });
  server.tool("several", {}, async (_, { ask }) => {
    const { who, where } = await ask({
      who: { elicit: { message: "Who?", schema: z.object({ name: z.string() }) } },
      where: { roots: {} },
    });
    return JSON.stringify({ who, where });
  });
  server.prompt("greet", {}, async (_, { listRoots }) => `In ${(await listRoots()).roots[0]?.name}`);
  server.resource("memo://a", {}, async (_, { listRoots }) => `In ${(await listRoots()).roots[0]?.name}`);
  return server;
}

/** How a client of either version answers. */
function answerElicitation({ params }: { readonly params: { readonly mode?: string | undefined } }) {
  return { action: "accept" as const, ...(params.mode === "url" ? {} : { content: { name: "Ada" } }) };
}

const MESSAGE = { role: "assistant" as const, model: "m", content: { type: "text" as const, text: "No" } };

/** A two-way line to a server in this process. */
function createPipe(server: MCPServer): PipeTransport {
  const transport: PipeTransport = {
    async start() {
      connection = server.connectPipe({
        transport: "memory",
        write: (text) => void queueMicrotask(() => transport.onmessage?.(JSON.parse(text))),
      });
    },
    async send(message) {
      connection?.receive(JSON.parse(JSON.stringify(message)));
    },
    async close() {
      connection?.close();
      transport.onclose?.();
    },
  };
  let connection: ReturnType<MCPServer["connectPipe"]> | undefined;
  return transport;
}

type AskedClient = Pick<Client, "callTool" | "getPrompt" | "readResource" | "close">;

async function connectModern(transport: PipeTransport, options: ClientOptions): Promise<AskedClient> {
  const client = new ModernClient({ name: "peer", version: "1.0.0" }, { capabilities: CAPABILITIES, ...options });
  client.setRequestHandler("elicitation/create", answerElicitation);
  client.setRequestHandler("sampling/createMessage", () => MESSAGE);
  client.setRequestHandler("roots/list", () => ROOTS);
  await client.connect(transport);
  return client as unknown as AskedClient; // the results have the same members
}

const WAYS: readonly { readonly name: string; connect(server: MCPServer): Promise<AskedClient> }[] = [
  {
    name: "the official SDK 1 client on a pipe",
    async connect(server) {
      const client = new Client({ name: "peer", version: "1.0.0" }, { capabilities: CAPABILITIES });
      client.setRequestHandler(ElicitRequestSchema, answerElicitation);
      client.setRequestHandler(CreateMessageRequestSchema, () => MESSAGE);
      client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
      await client.connect(createPipe(server) as Transport); // the same members in both versions
      return client;
    },
  },
  {
    name: "the official client on a pipe, legacy",
    connect: (server) => connectModern(createPipe(server), { versionNegotiation: { mode: "legacy" } }),
  },
  {
    name: "the official client on a pipe, modern",
    connect: (server) => connectModern(createPipe(server), { versionNegotiation: { mode: "auto" } }),
  },
  {
    name: "the official client over HTTP, modern",
    async connect(server) {
      const { url } = await server.listen(http({ port: 0 }));
      return connectModern(new ModernTransport(new URL(url)), { versionNegotiation: { mode: "auto" } });
    },
  },
];

describe.each(WAYS)("$name", ({ connect }) => {
  function textOf(result: { readonly content?: unknown; readonly [other: string]: unknown }): string {
    const [block] = result.content as { text: string }[]; // every tool here gives text
    return block?.text ?? "";
  }

  test.each(["modern", "always"] as const)("answers one question after the other (replay: %s)", async (replay) => {
    const client = await connect(createServer({ replay }));

    const result = await client.callTool({ name: "order", arguments: {} });
    await client.close();

    expect(JSON.parse(textOf(result))).toEqual({
      number: 1,
      form: { action: "accept", content: { name: "Ada", size: "l", gift: true } },
      page: { action: "accept" },
      model: "m",
    });
  });

  test("answers several questions at once", async () => {
    const client = await connect(createServer());

    const result = await client.callTool({ name: "several", arguments: {} });
    await client.close();

    expect(JSON.parse(textOf(result))).toEqual({ who: { action: "accept", content: { name: "Ada" } }, where: ROOTS });
  });

  test("answers what a prompt and a resource ask", async () => {
    const client = await connect(createServer());

    const prompt = await client.getPrompt({ name: "greet" });
    const resource = await client.readResource({ uri: "memo://a" });
    await client.close();

    expect(prompt.messages).toMatchObject([{ content: { text: "In Work" } }]);
    expect(resource.contents).toMatchObject([{ text: "In Work" }]);
  });
});
