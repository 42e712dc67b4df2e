import { setTimeout as wait } from "node:timers/promises";
import type { MCPServer } from "@mortise/server";

const WORK_MS = 100;

/** A tool that lets its caller go, who comes back for the result later. */
export function addPollingTool(server: MCPServer): void {
  server.tool(
    "test_reconnection",
    { description: "Closes the stream of its answer, which waits until it is fetched" },
    async (_args, ctx) => {
      ctx.closeStream();
      await wait(WORK_MS, undefined, { signal: ctx.signal });
      return "Reconnection test completed: the result was fetched on another stream.";
    },
  );
}
