import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type JsonObject } from "@mortise/core";
import { type Finish, WIRE_APIS, type WireApi } from "./wire-apis.js";

/** The smallest PNG. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What the fake provider does with one request. */
export interface FakeReply {
  /** What the model says. @default "Hello" */
  readonly text?: string;
  /** @default "stop" */
  readonly finish?: Finish;
  /** Base64. @default `PNG` */
  readonly image?: string;
  /** A status other than 200 makes it a failure in the API's own form. */
  readonly status?: number;
  /** What the failure says. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, in place of what the API would say. */
  readonly body?: string;
  /** Waits before it answers, in milliseconds. */
  readonly delayMs?: number;
  /** Never answers. */
  readonly hang?: boolean;
  /** Breaks the connection: before the head of the answer, or in the middle of its body. */
  readonly cut?: "head" | "body";
}

/** One request as it came. */
export interface FakeRequest {
  readonly api: string;
  readonly path: string;
  readonly headers: Headers;
  /** The body, if it is a JSON object. */
  readonly body: JsonObject;
  /** The body as it is. */
  readonly text: string;
  /** The schema that was sent along in the API's own way. */
  readonly schema: unknown;
  /** Resolves when the caller hangs up before it has the answer. */
  readonly hungUp: Promise<void>;
}

/** A provider for tests: speaks every API, says what it is told to, and remembers what it was asked. */
export interface FakeProvider {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** Says what to do with the next requests, one each; the last one holds for all later ones. */
  script(...replies: readonly (FakeReply | ((request: FakeRequest) => FakeReply))[]): void;
  /** Forgets requests and replies, for the next test. */
  forget(): void;
  /** Resolves with the next request that has not been handed out yet. */
  next(): Promise<FakeRequest>;
  /** The variables that configure a provider so that it is called here: a key, a model where one is needed, a base URL. */
  env(...ids: readonly string[]): Record<string, string>;
  close(): Promise<void>;
}

/** The key of a provider here. */
export function fakeKey(id: string): string {
  return `secret-key-of-${id}`;
}

/** Starts a fake provider on a free port of this machine. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const requests: FakeRequest[] = [];
  const waiting: ((request: FakeRequest) => void)[] = [];
  let replies: readonly (FakeReply | ((request: FakeRequest) => FakeReply))[] = [];
  let handedOut = 0;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? "/";
    const api = WIRE_APIS.find((each) => each.path.test(path));
    if (api === undefined || incoming.method !== "POST")
      return sendJson(outgoing, 404, { error: { message: "No such path" } });
    const request = await readRequest(incoming, outgoing, api);
    const id = path.split("/")[1] ?? "";
    const known = id === "ollama" ? undefined : fakeKey(id);
    if (api.readKey(request.headers) !== known)
      return sendJson(outgoing, 401, api.fail(401, `Incorrect API key provided: ${api.readKey(request.headers)}`));
    requests.push(request);
    const [first, ...rest] = replies;
    if (rest.length > 0) replies = rest;
    if (handedOut < requests.length && waiting.length > 0) {
      handedOut += 1;
      waiting.shift()?.(request);
    }
    await reply(typeof first === "function" ? first(request) : (first ?? {}), { api, request, outgoing });
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
  return {
    url,
    requests,
    script(...given) {
      replies = given;
    },
    forget() {
      requests.length = 0;
      handedOut = 0;
      replies = [];
    },
    next() {
      const request = requests[handedOut];
      if (request === undefined) return new Promise((resolve) => waiting.push(resolve));
      handedOut += 1;
      return Promise.resolve(request);
    },
    env: (...ids) => Object.assign({}, ...ids.map((id) => configure(id, url))) as Record<string, string>,
    close: () => closeServer(server),
  };
}

function configure(id: string, url: string): Record<string, string> {
  const prefix = id.toUpperCase();
  return {
    ...(id === "ollama" ? {} : { [`${prefix}_API_KEY`]: fakeKey(id) }),
    ...(["groq", "xai", "together", "ollama"].includes(id) ? { [`${prefix}_MODEL`]: `${id}-model` } : {}),
    ...(id === "openai" ? { OPENAI_API: "responses" } : {}),
    [`${prefix}_BASE_URL`]: id === "stability" ? `${url}/stability` : `${url}/${id}/v1`,
  };
}

async function readRequest(incoming: IncomingMessage, outgoing: ServerResponse, api: WireApi): Promise<FakeRequest> {
  const hungUp = new Promise<void>((resolve) => {
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) resolve();
    });
  });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
  const text = Buffer.concat(chunks).toString("utf8");
  const parsed: unknown = incoming.headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : {};
  const body = isObject(parsed) ? parsed : {};
  const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  return { api: api.name, path: incoming.url ?? "/", headers, body, text, schema: api.readSchema(body), hungUp };
}

interface Exchange {
  readonly api: WireApi;
  readonly request: FakeRequest;
  readonly outgoing: ServerResponse;
}

async function reply(reply: FakeReply, { api, request, outgoing }: Exchange): Promise<void> {
  const { status = 200, text = "Hello", finish = "stop", image = PNG, message = "It failed", headers = {} } = reply;
  if (reply.hang === true) return;
  if (reply.cut === "head") {
    outgoing.destroy();
    return;
  }
  if (reply.delayMs !== undefined) await sleep(reply.delayMs);
  const model = typeof request.body.model === "string" ? request.body.model : "";
  const value = status === 200 ? api.answer({ text, finish, image, model }) : api.fail(status, message);
  const body = reply.body ?? JSON.stringify(value);
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  if (reply.cut === "body") outgoing.write(body.slice(0, body.length / 2), () => outgoing.destroy());
  else outgoing.end(body);
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve, reject) => server.close((error) => (error === undefined ? resolve() : reject(error))));
}
