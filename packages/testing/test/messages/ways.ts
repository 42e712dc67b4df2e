import { LEGACY_PROTOCOL_VERSION, type MCPServer } from "@mortise/server";
import type { Mounted } from "../http/adapters.js";

/** One way for a message to reach a server. Gives the answer, or `null` where there is none. */
export type Way = (message: unknown) => Promise<unknown>;

/** Without a transport. */
export function directly(server: MCPServer): Way {
  return (message) => server.handle(message, { protocolVersion: LEGACY_PROTOCOL_VERSION });
}

/** On a pipe of its own, on which a client of the newest legacy revision has opened before. */
export function onPipe(server: MCPServer): Way {
  return async (message) => {
    const answers: unknown[] = [];
    const connection = server.connectPipe({
      transport: "memory",
      write: (text) => void answers.push(...withoutNotices(JSON.parse(text))),
    });
    connection.receive({
      jsonrpc: "2.0",
      id: "open",
      method: "initialize",
      params: {
        protocolVersion: LEGACY_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: "pipe", version: "1" },
      },
    });
    answers.length = 0;
    connection.receive(message);
    await connection.finish();
    if (answers.length > 1) throw new Error(`Expected at most one answer, received ${JSON.stringify(answers)}`);
    return answers[0] ?? null;
  };
}

/** Over HTTP, with the headers that belong to the message. Names are plain text here, which headers carry as it is. */
export function overHttp(mounted: Mounted): Way {
  return async (message) => {
    const { headers, body } = await mounted.send({ headers: createHeaders(message), body: JSON.stringify(message) });
    if (body === "") return null;
    if (headers.get("content-type") === "application/json") return JSON.parse(body) as unknown;
    const events = body.split("\n\n").filter((event) => event.startsWith("data: "));
    const messages = events.map((event) => JSON.parse(event.slice("data: ".length)) as unknown);
    return messages.flatMap(withoutNotices)[0] ?? null;
  };
}

function withoutNotices(message: unknown): unknown[] {
  return typeof message === "object" && message !== null && "method" in message ? [] : [message];
}

function createHeaders(message: unknown): Record<string, string> {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: Record<string, unknown> | null };
  const meta = params?._meta as Record<string, unknown> | null | undefined;
  const version = meta?.["io.modelcontextprotocol/protocolVersion"];
  const mirrored = params?.[method === "resources/read" ? "uri" : "name"];
  const name = typeof mirrored === "string" ? { "mcp-name": mirrored } : {};
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": typeof version === "string" ? version : LEGACY_PROTOCOL_VERSION,
    ...(typeof version === "string" ? { "mcp-method": typeof method === "string" ? method : "none", ...name } : {}),
  };
}
