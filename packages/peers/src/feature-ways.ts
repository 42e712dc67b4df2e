import type { FeatureTarget } from "./feature-client.js";
import { startServer } from "./peer-server.js";

/** A way to a Mortise server with every feature. */
export interface FeatureWay {
  readonly name: string;
  readonly program: string;
  readonly transport: "stdio" | "http";
  /** Where the transport of 2024-11-05 is, where it is the one that is used. */
  readonly ssePath?: string;
  /** Whether legacy clients can be asked. */
  readonly asks: boolean;
  /** Whether legacy clients are told of changed lists. */
  readonly tells: boolean;
  /** Whether what a legacy client sets in one request holds for the next. */
  readonly remembers: boolean;
  /** Whether legacy clients get a session id. */
  readonly identifies: boolean;
  /** Whether legacy clients have sessions that can be ended. */
  readonly sessions: boolean;
  /** Whether answers to legacy clients can be fetched on another connection. */
  readonly resumes: boolean;
}

const PIPE = { asks: true, tells: true, remembers: true, identifies: false, sessions: false, resumes: false };
const STATELESS = { asks: false, tells: false, remembers: false, identifies: false, sessions: false, resumes: false };

/** All of them. */
export const FEATURE_WAYS: readonly FeatureWay[] = [
  { ...PIPE, name: "stdio", program: "features-stdio", transport: "stdio" },
  { ...STATELESS, name: "http", program: "features-http", transport: "http" },
  {
    ...STATELESS,
    name: "http with minted ids",
    program: "features-http-minted",
    transport: "http",
    asks: true,
    tells: true,
    identifies: true,
  },
  {
    ...PIPE,
    name: "http with sessions",
    program: "features-http-sessions",
    transport: "http",
    identifies: true,
    sessions: true,
    resumes: true,
  },
  { ...PIPE, name: "HTTP+SSE", program: "features-http-sessions", transport: "http", ssePath: "/sse" },
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
