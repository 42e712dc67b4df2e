import type { SseDoor } from "../legacy-door.js";
import type { SseSettings } from "../legacy-options.js";
import type { HttpSse } from "./http-sse.js";
import type { SessionParts } from "./index.js";

/** Builds the door to the HTTP+SSE transport. What is behind it is loaded with the first request. */
export function createSseDoor(parts: SessionParts, settings: SseSettings): SseDoor {
  const { path, messagePath } = settings;
  let transport: HttpSse | undefined;
  const load = async (): Promise<HttpSse> => {
    const { HttpSse } = await import("./http-sse.js");
    transport ??= new HttpSse(parts, settings.toldPath);
    return transport;
  };
  const isShared = (): boolean => [path, "*"].includes(parts.policy().path);
  return {
    owns: (asked) => asked === path || asked === messagePath,
    route(exchange) {
      if (exchange.path === messagePath) return "sse messages";
      if (exchange.path !== path) return undefined;
      // Where the endpoint has the same path, only what can be nothing else opens a stream.
      const opens = exchange.method === "GET" && exchange.header("mcp-session-id") === undefined;
      return opens || !isShared() ? "sse stream" : undefined;
    },
    open: (visit) => transport?.open(visit) ?? load().then((loaded) => loaded.open(visit)),
    receive: (visit) => transport?.receive(visit) ?? load().then((loaded) => loaded.receive(visit)),
  };
}
