import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { end, open } from "./listening.js";

/** What a server lets pages of other origins do. Every header that is left out is not sent. */
export interface CorsRules {
  readonly origin?: string | undefined;
  readonly headers?: string | undefined;
  readonly methods?: string | undefined;
  readonly exposed?: string | undefined;
  /** Whether only answers to preflights have headers. */
  readonly preflightAlone?: boolean | undefined;
}

/** One request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The headers that a preflight asks for, in lower case. */
  readonly asked: string;
  readonly headers: IncomingMessage["headers"];
}

/** A server that does CORS in its own way. */
export interface ForeignServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** What its preflights asked for, in order. */
  preflights(): string[];
}

/** What the sample servers of the oldest web clients let pass. */
export const OLDEST_RULES: CorsRules = {
  origin: "*",
  headers: "Content-Type, Authorization, Mcp-Session-Id",
  methods: "POST, OPTIONS",
  exposed: "Mcp-Session-Id",
};

/** Puts CORS in front of a handler that does none, or `"own"`, which leaves it to the handler. It ends with the test. */
export async function startForeign(
  rules: "own" | CorsRules | ((path: string) => CorsRules),
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ForeignServer> {
  const seen: SeenRequest[] = [];
  const listener = createServer((request, response) => {
    const path = (request.url ?? "/").replace(/\?.*/, "");
    const asked = String(request.headers["access-control-request-headers"] ?? "").toLowerCase();
    const applied = typeof rules === "function" ? rules(path) : rules;
    seen.push({ method: request.method ?? "", path, asked, headers: request.headers });
    if (applied === "own") {
      handle(request, response);
      return;
    }
    if (request.method === "OPTIONS") {
      setHeaders(response, {
        "access-control-allow-origin": applied.origin,
        "access-control-allow-headers": applied.headers,
        "access-control-allow-methods": applied.methods,
        "access-control-max-age": "600",
      });
      response.writeHead(204).end();
      return;
    }
    if (applied.preflightAlone !== true) {
      setHeaders(response, {
        "access-control-allow-origin": applied.origin,
        "access-control-expose-headers": applied.exposed,
      });
    }
    handle(request, response);
  });
  const port = await open(listener);
  onTestFinished(() => end(listener));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    preflights: () => seen.filter(({ method }) => method === "OPTIONS").map(({ asked }) => asked),
  };
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
}
