import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One request as it arrived, in order. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly text: string;
  /** The JSON-RPC message, or an empty object where there is none. */
  readonly message: Message;
}

/** A JSON object whose members a test looks up without asking: where one is missing, the test fails. */
export interface Loose {
  readonly [member: string]: Loose;
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Loose;
  readonly result?: Loose;
  readonly error?: Loose;
}

export interface Reply {
  readonly request: LoggedRequest;
  readonly response: ServerResponse;
  /** Answers with a JSON body. */
  json(body: unknown, status?: number, headers?: Record<string, string>): void;
  /** Answers with a result. */
  result(result: unknown, headers?: Record<string, string>): void;
  /** Answers with a JSON-RPC error. */
  error(code: number, message: string, options?: { status?: number; data?: unknown; withoutId?: boolean }): void;
  /** Answers with an empty body. */
  status(status: number, text?: string, headers?: Record<string, string>): void;
}

export interface FakeServer {
  readonly url: string;
  readonly port: number;
  readonly log: LoggedRequest[];
  /** The JSON-RPC methods, or the HTTP method where there is none, in order of arrival. */
  methods(): string[];
  readonly sockets: Set<Socket>;
  /** How many connections were accepted. */
  connections(): number;
}

/** Starts a scripted server on a free port; it ends with the test. */
export async function startFake(
  script: (reply: Reply) => void,
  { host = "127.0.0.1", keepAliveTimeout = 5_000 }: { host?: string; keepAliveTimeout?: number } = {},
): Promise<FakeServer> {
  const log: LoggedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ keepAliveTimeout }, async (incoming, response) => {
    const request = await readRequest(incoming);
    log.push(request);
    script(createReply(request, response));
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`,
    port,
    log,
    sockets,
    connections: () => connections,
    methods: () =>
      log.map(({ method, message }) => message.method ?? (message.result === undefined ? method : "response")),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<LoggedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    text,
    message: text === "" ? {} : (JSON.parse(text) as Message),
  };
}

function createReply(request: LoggedRequest, response: ServerResponse): Reply {
  const { id } = request.message;
  const json: Reply["json"] = (body, status = 200, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
  return {
    request,
    response,
    json,
    result: (result, headers) => json({ jsonrpc: "2.0", id, result }, 200, headers),
    error: (code, message, { status = 200, data, withoutId = false } = {}) =>
      json({ jsonrpc: "2.0", ...(withoutId ? {} : { id }), error: { code, message, data } }, status),
    status: (status, text = "", headers = {}) => void response.writeHead(status, headers).end(text),
  };
}
