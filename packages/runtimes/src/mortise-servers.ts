import { createServer, type ServerResponse } from "node:http";
import { createNodeHttpHandler, type NodeHandlerOptions } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import { end, open } from "./listening.js";
import { createSmokeServer } from "./smoke-server.js";

const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** The addresses of servers that run in this process, and how to end them. */
export interface RunningServers {
  readonly modern: string;
  readonly legacy: string;
  readonly sse: string;
  readonly log: string;
  stop(): Promise<void>;
}

/** Starts a modern and a legacy server that have everything the suite asks for. */
export async function startMortiseServers(): Promise<RunningServers> {
  const seen: { run: string; method: string }[] = [];
  const modern = await listen(createSmokeServer(), {}, seen);
  const legacy = await listen(
    createSmokeServer(),
    {
      protocolVersions: LEGACY_VERSIONS,
      legacy: {
        sessions: "memory",
        getStream: true,
        resumable: true,
        sse: { path: "/sse", messagePath: "/messages" },
      },
    },
    seen,
  );
  return {
    modern: `${modern.origin}/mcp`,
    legacy: `${legacy.origin}/mcp`,
    sse: `${legacy.origin}/sse`,
    log: `${legacy.origin}/log`,
    stop: async () => {
      await Promise.all([modern.stop(), legacy.stop()]);
    },
  };
}

async function listen(
  server: MCPServer,
  options: NodeHandlerOptions,
  seen: { run: string; method: string }[],
): Promise<{ origin: string; stop(): Promise<void> }> {
  const handle = createNodeHttpHandler(server, { ...options, onWarning: () => undefined });
  const listener = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const run = searchParams.get("run");
    if (pathname === "/log") {
      answerLog(
        response,
        seen.filter((one) => one.run === run).map(({ method }) => method),
      );
      return;
    }
    if (run !== null) seen.push({ run, method: request.method ?? "" });
    handle(request, response);
  });
  const port = await open(listener);
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close();
      await end(listener);
    },
  };
}

function answerLog(response: ServerResponse, methods: readonly string[]): void {
  response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
  response.end(JSON.stringify(methods));
}
