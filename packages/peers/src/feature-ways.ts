import type { FeatureTarget } from "./feature-client.js";
import { startServer } from "./peer-server.js";

/** A way to a Mortise server with every feature. */
export interface FeatureWay {
  readonly name: string;
  readonly program: string;
  readonly transport: "stdio" | "http";
  /** Where the transport of 2024-11-05 is, where it is the one that is used. */
  readonly ssePath?: string;
  /** Whether clients are remembered between their requests. */
  readonly remembers: boolean;
  /** Whether that is done with a session id. */
  readonly sessions: boolean;
  /** Whether answers can be fetched on another connection. */
  readonly resumes: boolean;
}

const LASTING = { remembers: true, sessions: false, resumes: false };

/** All of them. */
export const FEATURE_WAYS: readonly FeatureWay[] = [
  { ...LASTING, name: "stdio", program: "features-stdio", transport: "stdio" },
  { ...LASTING, name: "http", program: "features-http", transport: "http", remembers: false },
  {
    name: "http with sessions",
    program: "features-http-sessions",
    transport: "http",
    remembers: true,
    sessions: true,
    resumes: true,
  },
  { ...LASTING, name: "HTTP+SSE", program: "features-http-sessions", transport: "http", ssePath: "/sse" },
];

/** A server with every feature that is up, or can be started by a client. */
export interface RunningFeatureServer {
  readonly target: FeatureTarget;
  stop(): Promise<void>;
}

/** Makes the server reachable. */
export async function startFeatureServer(way: FeatureWay): Promise<RunningFeatureServer> {
  const { target, stop } = await startServer(way);
  if (way.ssePath === undefined || !("url" in target)) return { target, stop };
  return { target: { sse: new URL(way.ssePath, target.url).href }, stop };
}
