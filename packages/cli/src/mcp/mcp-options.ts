import type { Level } from "../log.js";

/** The command line of `mortise mcp`. */
export interface McpOptions extends HttpPart {
  readonly http?: boolean | undefined;
  /** The tools to serve; empty for all. */
  readonly tools: readonly string[];
  readonly provider?: string | undefined;
  readonly hostModel?: boolean | undefined;
  readonly logLevel: Level;
}

/** What of it is about HTTP. */
export interface HttpPart {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly origin: readonly string[];
  readonly allowHost: readonly string[];
  readonly token?: string | undefined;
  readonly allowUnauthenticated?: boolean | undefined;
}
