import { createExampleServer } from "@mortise/example-tools";
import { createHttpHandler } from "@mortise/http";
import { Hono } from "hono";

/** Builds a Hono application with MCP endpoints beside ordinary routes. It runs wherever Hono does. */
export function createApp(): Hono {
  const server = createExampleServer();
  const app = new Hono();

  // As middleware for the whole application: `matches` tells which requests are the handler's own.
  const handler = createHttpHandler(server, { path: "/mcp" });
  app.use((context, next) => (handler.matches(context.req.path) ? handler(context.req.raw) : next()));

  // As a route: Hono has matched the path already, so the handler takes every one.
  const routed = createHttpHandler(server, { path: "*" });
  app.all("/teams/:team/mcp", (context) =>
    routed.handle(context.req.raw, { context: { team: context.req.param("team") } }),
  );

  app.get("/", (context) => context.json({ endpoints: ["/mcp", "/teams/:team/mcp"] }));

  return app;
}
