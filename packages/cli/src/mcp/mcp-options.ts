import type { Level } from "../log.js";

/** The command line of `mortise mcp`. */
export interface McpOptions extends HttpPart {
  readonly http?: boolean | undefined;
  /** The tools to serve. @default all */
  readonly tools?: readonly string[] | undefined;
  readonly provider?: string | undefined;
  readonly hostModel?: boolean | undefined;
  readonly logLevel: Level;
}

/** What of it is about HTTP. */
export interface HttpPart {
  readonly port: number;
  readonly host: string;
  readonly path: string;
  readonly origin?: readonly string[] | undefined;
  readonly allowHost?: readonly string[] | undefined;
  readonly token?: string | undefined;
  readonly allowUnauthenticated?: boolean | undefined;
}

/** The command line without options. */
export const MCP_DEFAULTS: McpOptions = { port: 3210, host: "127.0.0.1", path: "/mcp", logLevel: "info" };
