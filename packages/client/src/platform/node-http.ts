import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import http from "node:http";
import type { HttpLayer, HttpReceiver, HttpRequest } from "./platform.js";

/**
 * How long after sending a reset still counts as "the server had closed the idle connection". A later one may have hit
 * a request that was already being worked on, and is not repeated.
 */
const RETRY_WINDOW_MS = 2_000;

/** The requests of one protocol: its agent, and how to start a request. */
interface Scheme {
  readonly agent: Agent;
  readonly request: typeof http.request;
}

/**
 * HTTP with kept-alive connections on `node:http` and `node:https`: a call costs a fifth of what it costs on the global
 * `fetch`. A connection that the server closed while it was idle is replaced, once, when no byte of the answer came.
 */
export function createNodeHttpLayer(): HttpLayer {
  let plain: Scheme | undefined;
  let secure: Promise<Scheme> | undefined;
  const opened: Agent[] = [];

  const openPlain = (): Scheme => {
    const agent = new http.Agent({ keepAlive: true });
    opened.push(agent);
    return { agent, request: http.request };
  };
  const openSecure = async (): Promise<Scheme> => {
    const https = await import("node:https");
    const agent = new https.Agent({ keepAlive: true });
    opened.push(agent);
    return { agent, request: https.request };
  };

  return {
    send(request, receiver) {
      if (request.url.protocol !== "https:") {
        plain ??= openPlain();
        return start(plain, request, receiver);
      }
      secure ??= openSecure();
      let dropped = false;
      let drop = (): void => {
        dropped = true;
      };
      secure.then(
        (scheme) => {
          if (!dropped) drop = start(scheme, request, receiver);
        },
        (error: unknown) => receiver.onFailure(toError(error)),
      );
      return () => drop();
    },
    close() {
      for (const agent of opened.splice(0)) agent.destroy();
      plain = undefined;
      secure = undefined;
    },
  };
}

function start(scheme: Scheme, request: HttpRequest, receiver: HttpReceiver): () => void {
  let current: ClientRequest;
  let over = false;
  let answered = false;
  const sentAt = performance.now();

  const fail = (error: Error): void => {
    if (over) return;
    over = true;
    receiver.onFailure(error);
  };
  const attempt = (mayRepeat: boolean): void => {
    current = open(scheme, request, (response) => {
      answered = true;
      if (over) return;
      receiver.onHead({ status: response.statusCode ?? 0, header: (name) => readHeader(response, name) });
      response.on("data", (chunk: Uint8Array) => {
        if (!over) receiver.onData(chunk);
      });
      response.on("error", fail);
      response.on("end", () => {
        if (over) return;
        over = true;
        receiver.onEnd();
      });
      response.on("close", () => fail(new Error("The connection was lost")));
    });
    const socketRequest = current;
    current.on("error", (error: Error) => {
      if (over || socketRequest !== current) return;
      const idleClose = mayRepeat && socketRequest.reusedSocket && !answered && isReset(error);
      if (idleClose && performance.now() - sentAt < RETRY_WINDOW_MS) attempt(false);
      else fail(error);
    });
  };
  attempt(true);
  return () => {
    if (over) return;
    over = true;
    current.destroy();
  };
}

function open(
  scheme: Scheme,
  { url, method, headers, body }: HttpRequest,
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  const length = body === undefined ? [] : ["Content-Length", String(Buffer.byteLength(body))];
  const request = scheme.request(
    {
      protocol: url.protocol,
      // A URL writes IPv6 addresses in brackets, a socket takes them without.
      hostname: url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname,
      port: url.port,
      path: url.pathname + url.search,
      method,
      // A flat list is sent as it is, which spares one object and one check per header; `Host` is then ours to write.
      headers: ["Host", url.host, ...headers, ...length],
      agent: scheme.agent,
    },
    onResponse,
  );
  request.end(body);
  return request;
}

function readHeader(response: IncomingMessage, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function isReset(error: Error & { code?: unknown }): boolean {
  return error.code === "ECONNRESET" || error.code === "EPIPE";
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
