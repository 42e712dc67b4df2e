import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server as many write one by hand, and what it was sent. */
export interface HandWrittenServer {
  readonly url: string;
  /** Every POST: its JSON and the session id that it came with. */
  readonly received: readonly ReceivedPost[];
  /** Every preflight: the headers that a page asked for. */
  readonly preflights: readonly string[];
  close(): Promise<void>;
}

interface ReceivedPost {
  readonly body: WireRequest;
  readonly sessionId: string | undefined;
}

interface WireRequest {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST, OPTIONS",
  "access-control-allow-headers": "Content-Type, Authorization, Mcp-Session-Id",
};
const AGREED = {
  protocolVersion: "2024-11-05",
  capabilities: { tools: {} },
  serverInfo: { name: "sample", version: "1.0.0" },
};
const TOOLS = [
  { name: "add", description: "Adds two numbers", inputSchema: { type: "object", properties: { a: {}, b: {} } } },
];

/**
 * The first sample: a new session id with every answer, errors inside `result`, failures marked on a block, and 202 for whatever has
 * no id that counts as true.
 */
export function startNestingSample(): Promise<HandWrittenServer> {
  let answers = 0;
  return start((body, res) => {
    answers += 1;
    res.setHeader("Mcp-Session-Id", `session-${answers}`);
    if (!body.id) return void res.writeHead(202).end();
    const respond = (result: unknown): void => sendJson(res, { jsonrpc: "2.0", id: body.id, result });
    if (body.method === "initialize") respond(AGREED);
    else if (body.method === "tools/list") respond({ tools: TOOLS });
    else if (body.method === "tools/call") respond({ content: [callTool(body)] });
    else respond({ error: { code: -32601, message: `Method not found: ${body.method}` } });
  });
}

/** The second sample: 202 for whatever has no id, and plain JSON-RPC errors. */
export function startPlainSample(): Promise<HandWrittenServer> {
  return start((body, res) => {
    if (body.id === undefined) return void res.writeHead(202).end();
    const respond = (member: object): void => sendJson(res, { jsonrpc: "2.0", id: body.id, ...member });
    if (body.method === "initialize") respond({ result: AGREED });
    else if (body.method === "tools/list") respond({ result: { tools: TOOLS } });
    else if (body.method === "tools/call") respond({ result: { content: [callTool(body)] } });
    else respond({ error: { code: -32601, message: "Method not found" } });
  });
}

function callTool({ params }: WireRequest): object {
  const { a, b } = params?.arguments ?? {};
  if (params?.name !== "add") return { type: "text", text: `Unknown tool: ${params?.name}`, isError: true };
  return { type: "text", text: String(Number(a) + Number(b)) };
}

async function start(answer: (body: WireRequest, res: ServerResponse) => void): Promise<HandWrittenServer> {
  const received: ReceivedPost[] = [];
  const preflights: string[] = [];
  const server = createServer((req, res) => {
    for (const [name, value] of Object.entries(CORS)) res.setHeader(name, value);
    if (req.method === "OPTIONS") {
      preflights.push(String(req.headers["access-control-request-headers"]));
      res.writeHead(204).end();
    } else if (req.method === "POST" && req.url === "/mcp") {
      void readBody(req).then((body) => {
        const id = req.headers["mcp-session-id"];
        received.push({ body, sessionId: typeof id === "string" ? id : undefined });
        answer(body, res);
      });
    } else res.writeHead(404, { "content-type": "text/html" }).end("<pre>Cannot find that</pre>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    preflights,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readBody(req: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function sendJson(res: ServerResponse, message: object): void {
  res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
}
