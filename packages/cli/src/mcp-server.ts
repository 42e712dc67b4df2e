import type { Server } from "node:http";
import type { HttpOptions } from "@mortise/node";
import { MCPServer as TransportlessServer } from "@mortise/server";
import type { StdioOptions } from "@mortise/stdio";

/**
 * An MCP server that brings its transports along; everything else is the `MCPServer` of `@mortise/server`, which this one passes for.
 * A transport is loaded when it is started.
 *
 * @example
 * const server = new MCPServer({ name: "forecast", version: "1.0.0", tools: [{ name: "ping", handler: () => "pong" }] });
 * await server.startStdio();
 */
export class MCPServer extends TransportlessServer {
  /**
   * Serves the client that started this process, on the standard streams. Resolves once it does. Rejects with `invalid_options`,
   * and with `closed` on a stopped server.
   */
  async startStdio(options?: StdioOptions): Promise<void> {
    const { stdio } = await import("@mortise/stdio");
    await this.listen(stdio(options));
  }

  /**
   * Serves Streamable HTTP, and gives Node's server. Clients of 2025 get sessions in memory, unless `legacy` says otherwise. Rejects
   * with `invalid_options`, with `address_in_use` for a taken port, and with `closed` on a stopped server.
   */
  async startHttp(options: HttpOptions): Promise<Server> {
    const { http, presets } = await import("@mortise/node");
    const { server } = await this.listen(http({ ...presets.sessions, ...options }));
    return server;
  }

  /** Ends the server for good, whatever it was started on. Calls being worked on get `drain` milliseconds. Safe to call twice. */
  stop(options?: { readonly drain?: number | undefined }): Promise<void> {
    return this.close(options);
  }
}
